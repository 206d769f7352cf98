import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Env, parseEnv } from '@/lib/env'
import { bundleServer } from '@/lib/testing/bundle-script'
import { composeEnvironment } from './testing/compose-environment'

const root = join(__dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

type ProviderSetting =
  `OIDC_KEYCLOAK_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'LABEL' | 'SCOPES' | 'ROLES_CLAIM' | 'ROLES_MAP' | 'ROLES_SOURCE' | 'DOMAINS' | 'NEW_USERS' | 'SECOND_FACTOR' | 'SIGN_OUT'}`

/** Another value than the default for each: a new setting doesn't compile without. */
const VALUES: Record<Exclude<keyof Env, 'NODE_ENV' | 'OIDC'> | ProviderSetting, string> = {
  PORT: '4221',
  HOST: '127.0.0.2',
  WEB_CONCURRENCY: '3',
  APP_URL: 'https://engine.example.com',
  LOG_LEVEL: 'warn',
  LOG_REQUESTS: 'refused',
  DISABLED_LAYERS: 'replicas',
  DATABASE_URL: 'postgres://engine:word@pooler:6432/engine',
  DATABASE_DIRECT_URL: 'postgres://engine:word@server:5432/engine',
  DATABASE_REPLICA_URLS: 'postgres://engine:word@replica:5432/engine',
  DATABASE_POOL_SIZE: '7',
  DATA_DIR: 'elsewhere',
  DATA_DURABILITY: 'full',
  NEXTAUTH_SECRET: 'a secret of 32 characters or more',
  NEXTAUTH_SECRET_PREVIOUS: 'the former secret of 32 characters',
  ADMIN_EMAIL: 'ada@example.com',
  ADMIN_PASSWORD: 'a password',
  PASSWORD_SIGN_IN: 'false',
  BREAK_GLASS_ADMIN: 'ada@example.com',
  OIDC_RECHECK: '30m',
  REGISTRATION: 'domain:example.com,example.org',
  REGISTRATION_ROLE: 'VIEWER',
  PLUGIN_SIGNATURES: 'require',
  PLUGIN_INDEX_URL: 'https://plugins.example.com/index.json',
  OIDC_KEYCLOAK_ISSUER: 'https://login.example.com/realms/main',
  OIDC_KEYCLOAK_CLIENT_ID: 'engine',
  OIDC_KEYCLOAK_CLIENT_SECRET: 'word',
  OIDC_KEYCLOAK_LABEL: 'Example Inc.',
  OIDC_KEYCLOAK_SCOPES: 'openid email',
  OIDC_KEYCLOAK_ROLES_CLAIM: 'roles',
  OIDC_KEYCLOAK_ROLES_MAP: `'{"admins":"ADMIN"}'`,
  OIDC_KEYCLOAK_ROLES_SOURCE: 'provider',
  OIDC_KEYCLOAK_DOMAINS: 'example.com,example.org',
  OIDC_KEYCLOAK_NEW_USERS: 'VIEWER',
  OIDC_KEYCLOAK_SECOND_FACTOR: 'mfa',
  OIDC_KEYCLOAK_SIGN_OUT: 'provider',
  BOOTSTRAP_API_KEY: `eng_${'k'.repeat(32)}`,
  ANONYMOUS_ACCESS: 'on',
  API_RATE_LIMIT: '600/min',
  SCIM_ROLES_MAP: '{"Engine administrators":"ADMIN","engine-*":["VIEWER"]}',
  CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
  OUTGOING_ALLOWED_HOSTS: 'localhost:8080,[::1]:8081',
  METRICS_TOKEN: 'sixteen characters',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_SERVICE_NAME: 'engine-2',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_LOGS_EXPORTER: 'none',
  RESEND_API_KEY: 're_key',
  RESEND_BASE_URL: 'https://resend.example.com',
  RESEND_WEBHOOK_SECRET: 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==',
  SMTP_URL: 'smtp://user:word@mail.example.com?tls=off',
  MAIL_FROM: '"Ada <ada@example.com>"',
  MAIL_BRAND_PRODUCT: 'Data',
  MAIL_BRAND_ORGANISATION: 'Example Inc.',
  MAIL_BRAND_LOGO_URL: 'https://example.com/logo.png',
  MAIL_BRAND_SUPPORT: 'help@example.com',
  MAIL_BRAND_LANGUAGE: 'de',
  CLOUDINARY_URL: 'cloudinary://key:word@cloud',
  BACKUP_SCHEDULE: '02:30,14:05',
  BACKUP_DIR: '/backups',
  BACKUP_S3_URL: 'https://key:word@s3.example.com/bucket/folder?region=eu-1',
  BACKUP_KEEP: '3d,2m',
  BACKUP_KEY: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  MAX_SEARCH_COST: '1234.5',
  SESSION_MAX_DAYS: '12.5',
  ...numbers('MAX_REPLICA_LAG_MS', 'DATABASE_WAIT_MS', 'READ_TIMEOUT_MS', 'WRITE_TIMEOUT_MS'),
  ...numbers(
    'ERASURE_TIMEOUT_MS',
    'EXPORT_TIMEOUT_MS',
    'SLOW_SEARCH_MS',
    'QUEUE_WAIT_MS',
    'SHED_DELAY_MS',
  ),
  ...numbers('MAX_EXPORT_BYTES', 'MAX_CONNECTIONS', 'MAX_CONNECTIONS_PER_ADDRESS'),
  ...numbers('MAX_JSON_BYTES', 'BODY_TIMEOUT_MS', 'MAX_ZIP_BYTES', 'MAX_UNPACKED_BYTES'),
  ...numbers('MAX_ENTRY_BYTES', 'MAX_ENTRIES', 'MAX_DEPTH', 'MAX_RECORDS', 'MAX_INSTALLS'),
  ...numbers(
    'DRY_RUN_TIMEOUT_MS',
    'TRASH_DAYS',
    'HISTORY_VERSIONS',
    'HISTORY_DAYS',
    'AUDIT_DAYS',
    'MAIL_DAYS',
    'EVENTS_DAYS',
    'EVENTS_MAX_BYTES',
  ),
  ...numbers('PLUGIN_UNDO_INSTALLS', 'PLUGIN_UNDO_DAYS', 'INSTALL_WAIT_MS', 'TRUST_PROXY'),
  ...numbers('MAX_IMPORT_BYTES', 'MAX_BACKUP_BYTES', 'MAX_IMAGE_BYTES', 'MAX_IMAGE_PIXELS'),
}
const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[]

function numbers<K extends string>(...names: K[]): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, '9'])) as Record<K, string>
}

/** As the readers of `.env` do. */
const unquote = (text: string) => text.replace(/^(["'])(.*)\1$/, '$2')

/** Mails go one way, backups to one place, and who registers needs a password: these are never set together. */
const WAYS = [
  ['RESEND_API_KEY', 'PASSWORD_SIGN_IN', 'BACKUP_DIR'],
  ['SMTP_URL', 'REGISTRATION', 'BACKUP_S3_URL'],
] as const

/** All settings but those of the other way, in a folder with them as its `.env`. */
function settingsWith(way: (typeof WAYS)[number]) {
  const others: string[] = WAYS.filter((other) => other !== way).flat()
  const names = NAMES.filter((name) => !others.includes(name))
  const unquoted = Object.fromEntries(names.map((name) => [name, unquote(VALUES[name])]))
  const expected: Partial<Env> = { ...parseEnv(unquoted), NODE_ENV: 'any' }
  const folder = mkdtempSync(join(tmpdir(), 'engine-settings-'))
  writeFileSync(join(folder, '.env'), names.map((name) => `${name}=${VALUES[name]}\n`).join(''))
  return { unquoted, expected, folder }
}
const SETS = WAYS.map((way) => ({ way, ...settingsWith(way) }))
afterAll(() => {
  for (const { folder } of SETS) rmSync(folder, { recursive: true })
})

/** What a process makes of its variables. */
const settingsOf = (variables: Record<string, string | undefined>): Partial<Env> => ({
  ...parseEnv(variables),
  NODE_ENV: 'any',
})

/** The variables of a script of this repository that ends at once, with the `.env` of a folder beside it. */
async function variablesIn(script: string, folder: string, env: Record<string, string> = {}) {
  const file = await bundleServer(script)
  const show = 'process.once("exit", () => console.log(JSON.stringify(process.env)))'
  const args = ['--import', `data:text/javascript,${encodeURIComponent(show)}`, file]
  const { PATH } = process.env
  const options = { cwd: folder, env: { NODE_ENV: 'test', PATH, ...env } } as const
  const { stdout, stderr } = spawnSync(process.execPath, args, { ...options, encoding: 'utf8' })
  const shown = /^\{.*\}$/m.exec(stdout)?.[0]
  if (!shown) throw new Error(stderr)
  return JSON.parse(shown) as Record<string, string>
}

test('the example lists every setting, with its default', () => {
  const lines = read('.env.example').split('\n')
  const example = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([A-Z\d_]+)="?(.*?)"?$/.exec(line) ?? []
      return name ? [[name, value ?? '']] : []
    }),
  )
  expect(NAMES.filter((name) => !(name in example))).toEqual([])
  expect({ ...parseEnv(example), APP_URL: undefined }).toEqual({
    ...parseEnv({}),
    APP_URL: undefined,
  })
})

test.each(SETS)(
  'every setting of .env with $way reaches the process that Docker Compose starts',
  ({ unquoted, expected }) => {
    const variables = composeEnvironment(read('docker-compose.yml'), {
      ...unquoted,
      POSTGRES_PASSWORD: 'word',
    })
    // The volume is mounted there.
    expect(settingsOf(variables)).toEqual({ ...expected, DATA_DIR: '/data' })
  },
)

test.each(SETS)(
  'every setting of .env with $way reaches the server, and the commands for backups',
  async ({ expected, folder }) => {
    // With a port that is none, the server ends before it serves.
    const server = await variablesIn('server.ts', folder, { PORT: 'none' })
    expect(settingsOf({ ...server, PORT: VALUES.PORT })).toEqual(expected)
    expect(settingsOf(await variablesIn('scripts/backup.ts', folder))).toEqual(expected)
  },
)

test('a variable that is set counts more than .env', async () => {
  const [{ folder } = { folder: '' }] = SETS
  const { PORT } = await variablesIn('scripts/backup.ts', folder, { PORT: '4222' })
  expect(PORT).toBe('4222')
})
