export default function Members() {
  return <h1>Members</h1>
}
