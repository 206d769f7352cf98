import { isLocalHost } from '@/lib/auth/app-url'
import { countOutdated } from '@/lib/secrets/encrypt-again'
import { type Check, ok, type Verdict, warning } from './check'

/** Settings that are valid, and yet not what a server in use should have. */
export const CONFIGURATION_CHECKS: readonly Check[] = [
  {
    name: 'address',
    title: 'Address',
    look: ({ settings }) => addressVerdict(settings.APP_URL),
  },
  {
    name: 'secret',
    title: 'Secret',
    look: async (deps) => {
      if (!deps.settings.NEXTAUTH_SECRET)
        return warning(
          'The secret is a file in the data folder.',
          'Set NEXTAUTH_SECRET: without it another instance, or a restored backup, can’t read what is encrypted here.',
        )
      if (deps.secret.previous === null) return ok('One secret is in use.')
      const outdated = await countOutdated(deps)
      return ok(
        outdated === 0
          ? 'No stored value needs the previous secret any more. Seven days after the change no session does either: remove NEXTAUTH_SECRET_PREVIOUS then.'
          : `${outdated} stored values still need the previous secret; leave it set.`,
      )
    },
  },
  {
    name: 'mail',
    title: 'Mail',
    look: ({ mail, settings }) =>
      mail
        ? ok(`Mails are sent ${settings.SMTP_URL ? 'by a mail server' : 'through Resend'}.`)
        : warning(
            'Mails are kept in the outbox: nobody gets invitations or links to reset a password.',
            'Set SMTP_URL or RESEND_API_KEY, then send a test mail under Settings.',
          ),
  },
  {
    name: 'proxies',
    title: 'Proxies in front',
    ofRequest: true,
    look: ({ headers, settings }) => proxyVerdict(headers, settings),
  },
]

function addressVerdict(address: string | undefined): Verdict {
  if (!address)
    return warning(
      'APP_URL is not set, so links in mails lead to this machine alone.',
      'Set APP_URL to the address that people use.',
    )
  const { protocol, hostname } = new URL(address)
  if (protocol === 'http:' && !isLocalHost(hostname))
    return warning(
      'People come over http: passwords and sessions cross the network unencrypted.',
      'Put a proxy with TLS in front (deploy/proxies) and set APP_URL to its https address.',
    )
  return ok(`Links lead to ${protocol}//${hostname}.`)
}

/** Judged by the request that asks, so it says most when that comes the way that clients come. */
export function proxyVerdict(
  headers: Headers,
  { TRUST_PROXY: trusted, APP_URL }: { TRUST_PROXY: number; APP_URL?: string | undefined },
): Verdict {
  const forwarded = headers.get('x-forwarded-for')?.split(',').length ?? 0
  if (trusted === 0 && forwarded > 0)
    return warning(
      `This request came with X-Forwarded-For (${forwarded}), which is not believed: all clients count as one address.`,
      'Set TRUST_PROXY to the number of proxies in front that set this header.',
    )
  if (forwarded < trusted)
    return warning(
      `TRUST_PROXY is ${trusted}, and this request came with ${forwarded} addresses in X-Forwarded-For.`,
      'Ask through the proxies, as clients do. If it stays so, let each of them set the header, or lower TRUST_PROXY: a client could choose its address.',
    )
  // Of several proxies, the first that writes it is the one that clients reach.
  const protocol = headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase()
  if (trusted > 0 && protocol && APP_URL && new URL(APP_URL).protocol !== `${protocol}:`)
    return warning(
      'This request reached the proxy by another protocol than that of APP_URL.',
      'Set APP_URL to the address that people use, https included.',
    )
  return ok(
    trusted > 0
      ? `The address of a client is read from X-Forwarded-For, behind ${trusted}.`
      : 'The address of a client is that of its connection.',
  )
}
