export default function Guarded() {
  return <h1>Only the way here is guarded</h1>
}
