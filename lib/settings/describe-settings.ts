import type { ReplicaState } from '@/lib/db/replica'
import type { Env, SmtpServer } from '@/lib/env'
import { formatBytes } from '@/lib/values/format-bytes'
import { describeSignIn } from './describe-sign-in'
import { describeStorage } from './describe-storage'

/** `missing`: something does not work without it; `optional`: not set, and nothing lacks it. */
export type SettingState = 'set' | 'default' | 'missing' | 'optional'

/** One thing that is configured by the environment; `value` is never a secret. */
export type Setting = {
  label: string
  /** Environment variables that decide it. */
  variables: string[]
  state: SettingState
  value: string
  /** The effect of the setting, or how to set it. */
  hint: string
}
export type SettingGroup = { title: string; settings: Setting[] }

/** `outdated`: how many stored values only the previous secret reads. */
type Present = { replicas?: readonly ReplicaState[] | undefined; outdated?: number }

/** Describes what is configured and what is missing, and what else is so now. */
export const describeSettings = (
  env: Env,
  { replicas: states = [], outdated = 0 }: Present = {},
): SettingGroup[] => [
  {
    title: 'Server',
    settings: [
      address(env),
      database(env),
      ...(env.DATABASE_URL ? [replicas(env, states)] : []),
      proxy(env),
      ...(env.NEXTAUTH_SECRET_PREVIOUS ? [previousSecret(outdated)] : []),
      metrics(env),
      slowSearches(env),
    ],
  },
  { title: 'Sign-in', settings: describeSignIn(env) },
  { title: 'Mail', settings: [provider(env), sender(env), webhook(env), brand(env)] },
  { title: 'Plugins', settings: [signatures(env), pluginIndex(env)] },
  { title: 'Storage', settings: describeStorage(env) },
  { title: 'Limits', settings: limits(env) },
]

const address = ({ APP_URL, PORT }: Env): Setting => ({
  label: 'Address',
  variables: ['APP_URL'],
  state: APP_URL ? 'set' : 'missing',
  value: APP_URL ?? `http://localhost:${PORT}`,
  hint: APP_URL
    ? 'Links in mails lead here.'
    : 'Links in mails lead to this machine only. Set APP_URL to the address people use.',
})

const database = ({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL_SIZE }: Env): Setting => ({
  label: 'Database',
  variables: ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_POOL_SIZE'],
  state: DATABASE_URL ? 'set' : 'default',
  value: DATABASE_URL ? `PostgreSQL at ${hostOf(DATABASE_URL)}` : 'Embedded (PGlite)',
  hint: DATABASE_URL
    ? `Up to ${DATABASE_POOL_SIZE} connections for requests.${directly(DATABASE_DIRECT_URL)}`
    : 'For trying out and small installations: one process, and the last moments before a power cut may be lost. Set DATABASE_URL to use a PostgreSQL server.',
})

const directly = (url: string | undefined): string =>
  url ? ` Locks, subscriptions and migrations connect to ${hostOf(url)} directly.` : ''

const replicas = ({ MAX_REPLICA_LAG_MS }: Env, states: readonly ReplicaState[]): Setting => ({
  label: 'Read replicas',
  variables: ['DATABASE_REPLICA_URLS', 'MAX_REPLICA_LAG_MS'],
  state: states.length > 0 ? 'set' : 'default',
  value: states.map(describeReplica).join('; ') || 'None',
  hint:
    states.length > 0
      ? `Searches, counts and exports read from those that are at most ${MAX_REPLICA_LAG_MS} ms behind, else from the database.`
      : 'Searches, counts and exports read from the database, too. Set DATABASE_REPLICA_URLS to the addresses of its replicas.',
})

function describeReplica({ name, status, lagMs, reason }: ReplicaState): string {
  const lag = lagMs === null ? '' : `, ${lagMs} ms behind`
  return `${name}: ${status}${lag}${reason === null ? '' : ` (${reason})`}`
}

// Host and name alone: the rest of the address may hold a password.
function hostOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host || 'localhost'}${pathname}`
}

const proxy = ({ TRUST_PROXY }: Env): Setting => ({
  label: 'Proxies in front',
  variables: ['TRUST_PROXY'],
  state: TRUST_PROXY > 0 ? 'set' : 'default',
  value: String(TRUST_PROXY),
  hint:
    TRUST_PROXY > 0
      ? 'The caller’s address is read from X-Forwarded-For.'
      : 'The caller’s address is the connection’s. Behind a proxy set TRUST_PROXY to the number of proxies, else all callers share one rate limit.',
})

const previousSecret = (outdated: number): Setting => ({
  label: 'Previous secret',
  variables: ['NEXTAUTH_SECRET_PREVIOUS'],
  state: 'set',
  value: outdated === 0 ? 'No stored value needs it' : `Stored values that need it: ${outdated}`,
  hint:
    outdated === 0
      ? 'Sessions may need it for seven days after the change: people whose session still needs it when it is removed sign in again.'
      : 'Values are encrypted again with NEXTAUTH_SECRET in the background. Keep it until none needs it.',
})

const metrics = ({ METRICS_TOKEN }: Env): Setting => ({
  label: 'Metrics token',
  variables: ['METRICS_TOKEN'],
  state: METRICS_TOKEN ? 'set' : 'optional',
  value: METRICS_TOKEN ? 'Set' : 'Not set',
  hint: METRICS_TOKEN
    ? 'A scraper sends it as a bearer token to /api/metrics.'
    : 'Only administrators can read /api/metrics. Set METRICS_TOKEN to let a scraper in.',
})

const slowSearches = ({ SLOW_SEARCH_MS }: Env): Setting => ({
  label: 'Slow searches',
  variables: ['SLOW_SEARCH_MS'],
  state: SLOW_SEARCH_MS === 100 ? 'default' : 'set',
  value: `From ${SLOW_SEARCH_MS} ms`,
  hint: 'They are kept by their fields and operators, without values; the page of an entity advises on indexes.',
})

const provider = ({ SMTP_URL, RESEND_API_KEY }: Env): Setting => ({
  label: 'Delivery',
  variables: ['SMTP_URL', 'RESEND_API_KEY'],
  state: SMTP_URL || RESEND_API_KEY ? 'set' : 'missing',
  value: SMTP_URL ? serverOf(SMTP_URL) : RESEND_API_KEY ? 'Resend' : 'Kept in the outbox',
  hint: SMTP_URL
    ? `Mails are sent ${TLS_WORDS[SMTP_URL.tls]}, and retried for a day.`
    : RESEND_API_KEY
      ? 'Mails are sent through Resend and retried for a day.'
      : 'Mails are not sent; read them on the Mail page. Set SMTP_URL or RESEND_API_KEY to send them.',
})

const serverOf = ({ host, port, login }: SmtpServer): string =>
  `${host}:${port}${login ? ` as ${login.user}` : ''}`

const TLS_WORDS: Record<SmtpServer['tls'], string> = {
  implicit: 'over TLS',
  starttls: 'over TLS (STARTTLS)',
  off: 'without encryption, as tls=off says',
}

const sender = ({ MAIL_FROM }: Env): Setting => ({
  label: 'Sender',
  variables: ['MAIL_FROM'],
  state: MAIL_FROM.includes('onboarding@resend.dev') ? 'default' : 'set',
  value: MAIL_FROM,
  hint: MAIL_FROM.includes('onboarding@resend.dev')
    ? 'With this address Resend delivers to your own account only. Verify a domain and set MAIL_FROM.'
    : 'Every mail comes from this address.',
})

const webhook = ({ SMTP_URL, RESEND_API_KEY, RESEND_WEBHOOK_SECRET }: Env): Setting => ({
  label: 'Delivery reports',
  variables: ['RESEND_WEBHOOK_SECRET'],
  state: RESEND_WEBHOOK_SECRET ? 'set' : RESEND_API_KEY ? 'missing' : 'optional',
  value: RESEND_WEBHOOK_SECRET ? 'Accepted' : 'Not accepted',
  hint: SMTP_URL
    ? 'A mail is sent once the mail server accepts it. What becomes of it later, the server tells the sender by mail.'
    : RESEND_WEBHOOK_SECRET
      ? 'Resend reports whether a mail was delivered or bounced.'
      : 'A sent mail never becomes delivered or bounced. Add a webhook for /api/webhooks/resend at Resend and set RESEND_WEBHOOK_SECRET.',
})

const brand = (env: Env): Setting => {
  const { MAIL_BRAND_PRODUCT, MAIL_BRAND_ORGANISATION, MAIL_BRAND_SUPPORT } = env
  const { MAIL_BRAND_LOGO_URL, MAIL_BRAND_LANGUAGE } = env
  const named = [MAIL_BRAND_PRODUCT, MAIL_BRAND_ORGANISATION, MAIL_BRAND_SUPPORT]
  const isSet = MAIL_BRAND_LANGUAGE !== 'en' || MAIL_BRAND_LOGO_URL || named.some(Boolean)
  return {
    label: 'Brand',
    variables: ['MAIL_BRAND_*', 'MAIL_BRAND_PRODUCT', 'MAIL_BRAND_LANGUAGE'],
    state: isSet ? 'set' : 'default',
    value: [...named.filter(Boolean), LANGUAGES[MAIL_BRAND_LANGUAGE]].join(' · '),
    hint: isSet
      ? 'Every mail has these names, and is in this language.'
      : 'Mails name nobody. Set MAIL_BRAND_PRODUCT, _ORGANISATION, _LOGO_URL, _SUPPORT and _LANGUAGE (en or de).',
  }
}

const LANGUAGES: Record<Env['MAIL_BRAND_LANGUAGE'], string> = { en: 'English', de: 'German' }

const signatures = ({ PLUGIN_SIGNATURES: policy }: Env): Setting => ({
  label: 'Signatures',
  variables: ['PLUGIN_SIGNATURES'],
  state: policy === 'off' ? 'default' : 'set',
  value: { off: 'Not needed', warn: 'Warn without one', require: 'Required' }[policy],
  hint:
    policy === 'require'
      ? 'Archives need the signature of a trusted publisher.'
      : 'Archives are installed without the signature of a trusted publisher, too. Set PLUGIN_SIGNATURES to require to refuse them.',
})

const pluginIndex = ({ PLUGIN_INDEX_URL: address }: Env): Setting => ({
  label: 'Index of plugins',
  variables: ['PLUGIN_INDEX_URL'],
  state: address ? 'set' : 'default',
  value: address ? new URL(address).host : 'None',
  hint: address
    ? 'Its plugins are installed and updated under Plugins.'
    : 'Plugins are installed from archives. Set PLUGIN_INDEX_URL to the address of an index to browse one.',
})

const LIMITS = {
  MAX_JSON_BYTES: 'JSON body',
  MAX_ZIP_BYTES: 'Plugin archive',
  MAX_UNPACKED_BYTES: 'Plugin archive, unpacked',
  MAX_ENTRY_BYTES: 'File in an archive',
  MAX_IMAGE_BYTES: 'Image',
} as const

const limits = (env: Env): Setting[] =>
  Object.entries(LIMITS).map(([variable, label]) => ({
    label,
    variables: [variable],
    state: 'default',
    value: formatBytes(env[variable as keyof typeof LIMITS]),
    hint: `At most; set ${variable} in bytes to change it.`,
  }))
