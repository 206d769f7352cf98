import { z } from 'zod'
import { BACKUP_SETTINGS, backupFaults } from './env/backups'
import { MAIL_BRAND_SETTINGS } from './env/mail-brand'
import { type OidcProvider, readOidcProviders } from './env/oidc-providers'
import { pluginIndexFault } from './env/plugin-index'
import { registration, registrationFaults, registrationRole } from './env/registration'
import { retentionSettings } from './env/retention'
import { scimRolesMap } from './env/scim-roles-map'
import { readSecretFiles } from './env/secret-files'
import {
  addresses,
  bytes,
  cloudinaryUrl,
  duration,
  host,
  hostsWithPorts,
  MiB,
  milliseconds,
  names,
  number,
  origins,
  postgresUrl,
  rate,
  sender,
  switchedOn,
  toggle,
  token,
  webUrl,
} from './env/setting-types'
import { smtpUrl } from './env/smtp-url'
import { TELEMETRY_SETTINGS } from './env/telemetry'

export type { OidcProvider } from './env/oidc-providers'
export type { Registration } from './env/registration'
export type { SmtpServer } from './env/smtp-url'

/** Resend sends from it to the owner of an account alone. */
const RESENDS_SENDER = 'Engine <onboarding@resend.dev>'

/** Each with its rule; together see `schema`. */
export const SETTINGS = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: number().int().min(0).max(65_535).default(3000),
  /** The address to listen on; without it all of this machine. */
  HOST: host().optional(),
  /** How many processes serve, on one PostgreSQL. */
  WEB_CONCURRENCY: number().int().min(1).max(64).default(1),
  /** Where people reach the app; links in mails are built from it alone. */
  APP_URL: webUrl('https://engine.example.com').optional(),
  /** What is left out of `lib/layers.ts`, by its names there. */
  DISABLED_LAYERS: names(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Which requests have a line in the log: all, those that are refused, or only those that fail. */
  LOG_REQUESTS: z.enum(['all', 'refused', 'off'], 'must be all, refused or off').default('all'),

  /** `postgres://…`; without it an embedded PGlite is kept in `DATA_DIR/pglite`. */
  DATABASE_URL: postgresUrl().optional(),
  /** PostgreSQL itself, where `DATABASE_URL` leads to a pooler in transaction mode: for locks, subscriptions, migrations. */
  DATABASE_DIRECT_URL: postgresUrl().optional(),
  /** Replicas of `DATABASE_URL`, separated by commas: searches, counts and exports read from them. */
  DATABASE_REPLICA_URLS: addresses(),
  /** How old the state of a replica may be that a request reads. */
  MAX_REPLICA_LAG_MS: milliseconds(1_000),
  /** How long a start waits for a database that is away. */
  DATABASE_WAIT_MS: number().int().min(0).max(3_600_000).default(60_000),
  DATABASE_POOL_SIZE: number().int().min(2).max(200).default(10),
  /** Folder of everything this process keeps on disk. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** What of the embedded database outlives a power cut: `full`, all that was acknowledged. */
  DATA_DURABILITY: z.enum(['relaxed', 'full']).default('relaxed'),

  /** Signs sessions and encrypts secrets at rest. At least 32 characters. */
  NEXTAUTH_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  /** Another one whose sessions and encrypted values are read too: the former one while it is replaced. */
  NEXTAUTH_SECRET_PREVIOUS: z.string().min(32, 'needs at least 32 characters').optional(),
  /** A session ends this many days after the sign-in, whether it is used or not. */
  SESSION_MAX_DAYS: number().positive().max(3650).default(30),
  /** The first administrator, created at start-up while there is none. */
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(8).max(128).optional(),
  /** Whether people sign in by a password or a passkey here, beside the providers. */
  PASSWORD_SIGN_IN: switchedOn(),
  /** A session that began by a provider is refused unless the provider has confirmed it within this time. */
  OIDC_RECHECK: duration('1h'),
  /** The email of the administrator who may do so even then, for when the providers are away. */
  BREAK_GLASS_ADMIN: z.email('must be an email address').optional(),
  /** Who may make an account without an administrator: `off`, `invited`, `domain:example.com,…` or `open`. */
  REGISTRATION: registration(),
  /** The role of users who do. */
  REGISTRATION_ROLE: registrationRole().optional(),
  /** A known first API key with all rights, for containers and automation. */
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^eng_[A-Za-z0-9_-]{32,}$/, 'must be eng_ and at least 32 letters, digits, - or _')
    .optional(),
  /** Whether callers without a credential have the rights of the role `ANONYMOUS` on records. */
  ANONYMOUS_ACCESS: toggle(),
  /** Origins whose pages may call the API in browsers, separated by commas. */
  CORS_ORIGINS: origins(),
  /** `host:port` of receivers of webhooks that need not be on the internet, nor use TLS, separated by commas. */
  OUTGOING_ALLOWED_HOSTS: hostsWithPorts(),
  /** Roles that groups of SCIM give, by their names. */
  SCIM_ROLES_MAP: scimRolesMap(),
  /** How many requests each API key, and each address without one, may make in a time. */
  API_RATE_LIMIT: rate().optional(),
  /** `1` when one reverse proxy in front sets X-Forwarded-For; `0` uses the socket's address. */
  TRUST_PROXY: number().int().min(0).max(10).default(0),
  METRICS_TOKEN: token().min(16, 'needs at least 16 characters').optional(),

  ...TELEMETRY_SETTINGS,

  RESEND_API_KEY: token().trim().min(1).optional(),
  RESEND_BASE_URL: webUrl('https://api.resend.com').optional(),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .trim()
    .regex(/^whsec_[A-Za-z0-9+/_-]{16,}={0,2}$/, 'must be whsec_ and what Resend shows after it')
    .optional(),
  /** A mail server, in place of Resend: see `smtpUrl`. */
  SMTP_URL: smtpUrl().optional(),
  MAIL_FROM: sender().default(RESENDS_SENDER),
  ...MAIL_BRAND_SETTINGS,
  CLOUDINARY_URL: cloudinaryUrl().optional(),

  ...BACKUP_SETTINGS,

  /** How long the statements of a request may take: of one that reads, and of one that changes. */
  READ_TIMEOUT_MS: milliseconds(10_000),
  WRITE_TIMEOUT_MS: milliseconds(60_000),
  EXPORT_TIMEOUT_MS: milliseconds(1_800_000),
  /** Of a person or of records in all copies, and of its dry run. */
  ERASURE_TIMEOUT_MS: milliseconds(600_000),
  /** Of one file that is prepared in the background and kept in the database. */
  MAX_EXPORT_BYTES: bytes(512 * MiB),
  /** The cost limit for conditions of a search, in the planner's units: about 10 µs each. */
  MAX_SEARCH_COST: number().positive().default(1_000_000),
  /** Searches that take this long are kept by their shape, for advice on indexes. */
  SLOW_SEARCH_MS: number().min(0).max(86_400_000).default(100),
  /** How long a search, an export or a page waits for its turn. */
  QUEUE_WAIT_MS: milliseconds(3_000),
  /** Requests are refused, searches first, when the event loop is delayed by this much. */
  SHED_DELAY_MS: milliseconds(250),
  /** Open connections of clients: all together, and those of one address. */
  MAX_CONNECTIONS: number().int().min(1).max(1_000_000).default(8_192),
  /** Has no effect behind proxies (TRUST_PROXY). */
  MAX_CONNECTIONS_PER_ADDRESS: number().int().min(1).max(1_000_000).default(1_024),

  MAX_JSON_BYTES: bytes(16 * MiB),
  /** A request whose body sends nothing for this long is ended. */
  BODY_TIMEOUT_MS: number().int().min(1).max(600_000).default(30_000),
  MAX_ZIP_BYTES: bytes(50 * MiB),
  MAX_UNPACKED_BYTES: bytes(256 * MiB),
  MAX_ENTRY_BYTES: bytes(128 * MiB),
  MAX_ENTRIES: bytes(10_000),
  MAX_DEPTH: bytes(16),
  /** In one data file of an archive. */
  MAX_RECORDS: bytes(2_000_000),
  /** Archives read and installed at a time in this process; each may hold MAX_UNPACKED_BYTES. */
  MAX_INSTALLS: number().int().min(1).max(100).default(2),
  /** How long a dry run may take in all. */
  DRY_RUN_TIMEOUT_MS: number().int().min(1).max(3_600_000).default(30_000),
  ...retentionSettings,
  /** What becomes of archives without the signature of a trusted publisher: nothing, a warning, a refusal. */
  PLUGIN_SIGNATURES: z
    .enum(['off', 'warn', 'require'], 'must be off, warn or require')
    .default('off'),
  /** Where the index of plugins is that can be installed from the console. */
  PLUGIN_INDEX_URL: webUrl('https://plugins.example.com/index.json').optional(),
  /** How long an install waits: for its turn, for another one of its plugin, for locked records. */
  INSTALL_WAIT_MS: number().int().min(1).max(3_600_000).default(30_000),
  /** The largest file that is imported into an entity. */
  MAX_IMPORT_BYTES: bytes(1024 * MiB),
  /** The largest backup that is restored in the console. */
  MAX_BACKUP_BYTES: bytes(10 * 1024 * MiB),
  MAX_IMAGE_BYTES: bytes(10 * MiB),
  MAX_IMAGE_PIXELS: bytes(50_000_000),
})

const schema = SETTINGS.refine(
  (settings) => settings.DATABASE_URL || !settings.DATABASE_DIRECT_URL,
  {
    path: ['DATABASE_DIRECT_URL'],
    error: 'needs DATABASE_URL, too',
  },
)
  .refine((settings) => settings.DATABASE_URL || settings.DATABASE_REPLICA_URLS.length === 0, {
    path: ['DATABASE_REPLICA_URLS'],
    error: 'needs DATABASE_URL, too',
  })
  .refine(
    ({ NEXTAUTH_SECRET: now, NEXTAUTH_SECRET_PREVIOUS: former }) => !former || now !== former,
    { path: ['NEXTAUTH_SECRET_PREVIOUS'], error: 'is NEXTAUTH_SECRET itself; remove it' },
  )
  .refine((settings) => !settings.SMTP_URL || !settings.RESEND_API_KEY, {
    path: ['SMTP_URL'],
    error: 'mails go one way: set either SMTP_URL or RESEND_API_KEY',
  })
  .refine((settings) => !settings.SMTP_URL || settings.MAIL_FROM !== RESENDS_SENDER, {
    path: ['MAIL_FROM'],
    error: 'SMTP_URL needs a sender of yours, such as Engine <engine@example.com>',
  })

export type Env = z.infer<typeof schema> & {
  /** From the settings `OIDC_<NAME>_…`. */
  OIDC: OidcProvider[]
}

let checked: Env | undefined

/**
 * The environment, checked on first use: `next build` evaluates every route module and must not
 * need secrets. `instrumentation.ts` calls this first, so a server never starts half configured.
 */
export function env(): Env {
  if (!checked) {
    checked = parseEnv(process.env)
    // The only way to set next-auth's address; otherwise it would be localhost:3000.
    process.env.NEXTAUTH_URL = checked.APP_URL ?? `http://localhost:${checked.PORT}`
  }
  return checked
}

/** Throws one error that names every variable that is wrong, and never shows a value. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const { settings, problems } = readSecretFiles(source)
  const present = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value?.trim() !== ''),
  )
  const result = schema.safeParse(present)
  const oidc = readOidcProviders(present)
  const issues = result.error?.issues ?? []
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const all = [...problems, ...faults, ...oidc.problems]
  if (result.data?.PASSWORD_SIGN_IN === false && oidc.providers.length === 0)
    all.push('PASSWORD_SIGN_IN: there is no provider to sign in by; set OIDC_<NAME>_ISSUER first')
  const { data } = result
  if (data) all.push(...registrationFaults(data), ...pluginIndexFault(data), ...backupFaults(data))
  if (result.success && all.length === 0) return { ...result.data, OIDC: oidc.providers }
  throw new Error(`Invalid environment. ${all.join('; ')}`)
}
