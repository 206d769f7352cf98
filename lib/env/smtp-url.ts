import { z } from 'zod'

/** A mail server, as `SMTP_URL` names it. */
export type SmtpServer = {
  host: string
  port: number
  /**
   * `implicit`: the connection begins with TLS. `starttls`: it is upgraded before anything is said, or ended.
   * `off`: nothing is encrypted, the password included.
   */
  tls: 'implicit' | 'starttls' | 'off'
  /** Null: the server takes mails without a sign-in. */
  login: { user: string; password: string } | null
}

const PORTS = { implicit: 465, starttls: 587, off: 25 }

/** `smtp://user:password@host:587`, `smtps://…:465`; `smtp://…?tls=off` for servers without TLS. */
export const smtpUrl = () =>
  z.string().transform((text, context): SmtpServer => {
    const server = URL.canParse(text.trim()) ? read(new URL(text.trim())) : null
    if (server) return server
    context.addIssue(
      'must look like smtps://user:password@host:465 or smtp://user:password@host:587, with signs such as @ and % written as %40 and %25, and ?tls=off only after smtp://',
    )
    return z.NEVER
  })

/** Null for what is no address of a mail server. */
function read(url: URL): SmtpServer | null {
  const { protocol, hostname, port, pathname, search, hash } = url
  const tls = search === '?tls=off' ? 'off' : protocol === 'smtps:' ? 'implicit' : 'starttls'
  const login = loginOf(url)
  const isSmtp = protocol === 'smtps:' ? search === '' : protocol === 'smtp:'
  const isBare = (pathname === '' || pathname === '/') && hash === ''
  if (!isSmtp || !isBare || (search && tls !== 'off') || port === '0' || login === undefined)
    return null
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!/^[a-z\d.:_-]+$/i.test(host)) return null
  return { host, port: port ? Number(port) : PORTS[tls], tls, login }
}

/** Null without a user, undefined for half a sign-in or one that cannot be decoded. */
function loginOf({ username, password }: URL): SmtpServer['login'] | undefined {
  if (!username && !password) return null
  if (!username || !password || /%(?![0-9a-f]{2})/i.test(username + password)) return undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return undefined // bytes that are not UTF-8
  }
}
