/** The value of the cookie `name` that a request carries, or null. */
export function readCookie(headers: Headers, name: string): string | null {
  const pairs = headers.get('cookie')?.split(';') ?? []
  const pair = pairs.map((text) => text.trim()).find((text) => text.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) || null
}
