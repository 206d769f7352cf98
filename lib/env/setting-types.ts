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

/** Off by default. */
export const toggle = () =>
  z
    .enum(['off', 'on'], 'must be on or off')
    .default('off')
    .transform((text) => text === 'on')

/** On by default. */
export const switchedOn = () =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default('true')
    .transform((text) => text === 'true')

export const postgresUrl = () =>
  z.string().refine(isPostgresUrl, 'must look like postgres://user:password@host:5432/name')

/** Whether the parts can be decoded, too: a `%` of a password has to be written `%25`. */
function isPostgresUrl(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return false
  const { username, password, pathname } = new URL(url)
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

/** Origins as browsers name them, separated by commas: scheme, host and any unusual port. */
export const origins = () =>
  names().pipe(z.array(z.string().refine(isOrigin, 'must be like https://app.example.com, each')))

const isOrigin = (text: string) =>
  /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** As URLs write them, each with its port. */
export const hostsWithPorts = () =>
  names().pipe(
    z.array(
      z.string().regex(/^([a-z\d.-]+|\[[\da-f:.]+\]):\d+$/, 'must be like localhost:8080, each'),
    ),
  )

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30m`: how long, in seconds, minutes, hours or days; `off`: null. In milliseconds. */
export const duration = (example: string) =>
  z
    .string()
    .regex(
      /^(off|[1-9]\d{0,4}[smhd])$/,
      `must be like ${example}: a number, and s, m, h or d; or off`,
    )
    .default(example)
    .transform((text) =>
      text === 'off' ? null : Number.parseInt(text, 10) * (UNITS_MS[text.at(-1) ?? ''] ?? 0),
    )

/** `600/min`: how many, in a second, minute or hour. */
export const rate = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}\/(s|min|h)$/, 'must be like 600/min: a number, and s, min or h')
    .transform((text) => {
      const [requests = '', unit = ''] = text.split('/')
      return { requests: Number(requests), seconds: { s: 1, min: 60, h: 3600 }[unit] ?? 0 }
    })

export const webUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must look like ${example}` }).refine((url) => {
    if (!URL.canParse(url)) return true // and is refused for that
    const { username, search, hash } = new URL(url)
    return !username && !search && !hash
  }, 'must have no user, query or fragment')

/** An address that is none of IPv4 could only be a name of numbers, which no network has. */
export const host = () =>
  z
    .string()
    .refine(
      (host) => isIP(host) > 0 || (/^[\w.-]+$/.test(host) && !/^[\d.]+$/.test(host)),
      'must be an address of this machine, such as 127.0.0.1 or ::1, or its name',
    )

export const sender = () =>
  z
    .string()
    .trim()
    .refine(
      (text) => z.email().safeParse(/^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success,
      'must look like Engine <engine@example.com>, or be an address alone',
    )

/** A name that people read, in one line. */
export const title = () =>
  z
    .string()
    .trim()
    .regex(/^\P{C}{1,100}$/u, 'must be one line of at most 100 characters')

/** An image that clients of mails load. */
export const imageUrl = () =>
  z.url({ protocol: /^https$/, error: 'must look like https://example.com/logo.png' })

/** Where people ask for help. */
export const contact = () =>
  z
    .string()
    .trim()
    .refine(
      (text) => z.email().safeParse(text).success || /^https:\/\/[^\s"<>]+$/.test(text),
      'must be an email address or an address with https://',
    )

export const cloudinaryUrl = () =>
  z.string().refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    const prefix = url?.searchParams.get('upload_prefix') ?? 'https://api.cloudinary.com'
    const { protocol, username, password, hostname } = url ?? {}
    const isWhole = protocol === 'cloudinary:' && username && password && hostname
    return isWhole && isDecodable(username + password) && URL.canParse(prefix)
  }, 'must look like cloudinary://KEY:SECRET@CLOUD')
