import { isIP } from 'node:net'
import { z } from 'zod'

export const MiB = 1024 * 1024
export const number = () => z.coerce.number({ error: 'must be a number' })
export const bytes = (defaultValue: number) => number().int().positive().default(defaultValue)
export const milliseconds = (defaultValue: number) =>
  number().int().min(1).max(86_400_000).default(defaultValue)
/** What a header of HTTP can carry. */
export const token = () =>
  z.string().regex(/^[\x20-\x7e]*$/, 'must be of letters and signs of ASCII')

export const postgresUrl = () =>
  z.string().refine(isPostgresUrl, 'must look like postgres://user:password@host:5432/name')

/** Whether the parts can be decoded, too: a `%` of a password has to be written `%25`. */
function isPostgresUrl(given: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(given) || !URL.canParse(given)) return false
  const { username, password, pathname } = new URL(given)
  return isDecodable(username + password + pathname)
}

const isDecodable = (encoded: string) => !/%(?![0-9a-f]{2})/i.test(encoded)

export const addresses = () =>
  z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((url) => url.trim() || []))
    .pipe(z.array(postgresUrl()))

/** Names separated by commas. */
export const names = () =>
  z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((name) => name.trim() || []))

export const webUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must look like ${example}` }).refine((given) => {
    if (!URL.canParse(given)) return true // and is refused for that
    const { username, search, hash } = new URL(given)
    return !username && !search && !hash
  }, 'must have no user, query or fragment')

/** An address that is none of IPv4 could only be a name of numbers, which no network has. */
export const host = () =>
  z
    .string()
    .refine(
      (given) => isIP(given) > 0 || (/^[\w.-]+$/.test(given) && !/^[\d.]+$/.test(given)),
      'must be an address of this machine, such as 127.0.0.1 or ::1, or its name',
    )

export const sender = () =>
  z
    .string()
    .trim()
    .refine(
      (given) => z.email().safeParse(/^[^<>\r\n]*<([^<>]+)>$/.exec(given)?.[1] ?? given).success,
      'must look like Engine <engine@example.com>, or be an address alone',
    )

export const cloudinaryUrl = () =>
  z.string().refine((given) => {
    const url = URL.canParse(given) ? new URL(given) : null
    const prefix = url?.searchParams.get('upload_prefix') ?? 'https://api.cloudinary.com'
    const { protocol, username, password, hostname } = url ?? {}
    const isWhole = protocol === 'cloudinary:' && username && password && hostname
    return isWhole && isDecodable(username + password) && URL.canParse(prefix)
  }, 'must look like cloudinary://KEY:SECRET@CLOUD')
