/** The content types of the bodies that the library reads. */
export const formType = 'application/x-www-form-urlencoded'
export const jsonType = 'application/json'

/** Type and subtype, without parameters (RFC 9110 8.3.1). */
export function mediaType(header: string | null | undefined): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase()
}
