import { expect, test } from 'vitest'
import { can, RESERVED_ROLES } from './auth/rights'
import { type Env, parseEnv, SETTINGS } from './env'

const POOLER = 'postgres://engine:canary@pooler:6432/engine'
const SERVER = 'postgres://engine:canary@server:5432/engine'

test('a direct address needs the one that it goes with', () => {
  expect(() => parseEnv({ DATABASE_DIRECT_URL: SERVER })).toThrow(
    'Invalid environment. DATABASE_DIRECT_URL: needs DATABASE_URL, too',
  )
  expect(() => parseEnv({ DATABASE_DIRECT_URL: SERVER, DATABASE_URL: '' })).toThrow('needs')
  const both = { DATABASE_DIRECT_URL: SERVER, DATABASE_URL: POOLER }
  expect(parseEnv(both)).toMatchObject(both)
})

test('addresses of replicas are a list, of replicas of something', () => {
  const both = { DATABASE_URL: SERVER, DATABASE_REPLICA_URLS: ` ${POOLER} , ${SERVER},` }
  expect(parseEnv(both).DATABASE_REPLICA_URLS).toEqual([POOLER, SERVER])
  expect(parseEnv({}).DATABASE_REPLICA_URLS).toEqual([])
  const wrong = (DATABASE_REPLICA_URLS: string) => () =>
    parseEnv({ DATABASE_URL: SERVER, DATABASE_REPLICA_URLS })
  expect(wrong('mysql://canary@db/engine')).toThrow(/DATABASE_REPLICA_URLS/)
  expect(wrong('canary')).not.toThrow(/canary/)
  expect(() => parseEnv({ DATABASE_REPLICA_URLS: POOLER })).toThrow('needs DATABASE_URL, too')
})

test('every variable that is wrong is named, and no value is shown', () => {
  const wrong = () => parseEnv({ PORT: 'canary', DATABASE_URL: 'mysql://canary@db/engine' })
  expect(wrong).toThrow(/PORT: .*DATABASE_URL: /)
  expect(wrong).not.toThrow(/canary/)
})

const numbers = (...names: (keyof Env)[]) =>
  Object.fromEntries(names.map((name) => [name, ['canary', '-1', '1e999']]))

/** Of settings that take any text there are none. */
const WRONG: Partial<Record<keyof Env, string[]>> = {
  HOST: ['999.1.1.1', '127.0.0', 'canary host', '[::1]', 'http://canary'],
  APP_URL: [
    'ftp://canary',
    'canary.example.com',
    'https://ann:canary@x.org',
    'https://x.org?canary',
  ],
  LOG_LEVEL: ['canary'],
  LOG_REQUESTS: ['canary', 'on'],
  DATABASE_URL: [
    'mysql://canary@db/engine',
    'postgres:canary',
    'postgres://u:10%zcanary@db/engine',
  ],
  DATABASE_DIRECT_URL: ['canary', 'postgres://db:canary/engine'],
  DATABASE_REPLICA_URLS: ['canary', `${SERVER},mysql://canary@db/engine`],
  DATA_DURABILITY: ['canary'],
  NEXTAUTH_SECRET: ['canary'],
  NEXTAUTH_SECRET_PREVIOUS: ['canary'],
  ADMIN_EMAIL: ['canary', 'Ann <canary@example.com>'],
  ADMIN_PASSWORD: ['canary', 'canary'.repeat(30)],
  PASSWORD_SIGN_IN: ['canary', 'off'],
  BREAK_GLASS_ADMIN: ['canary', 'Ann <canary@example.com>'],
  REGISTRATION: [
    'canary',
    'on',
    'open:canary.example',
    'off,canary',
    'domain',
    'domain:',
    'domain:canary',
    'domain:*',
    'domain:@canary.example',
    'domain:canary.example;canary.org',
    'domain:canary.example:canary.org',
    'domain:example.com, канарейка.рф',
  ],
  REGISTRATION_ROLE: ['Admin', ' ADMIN ', 'Anonymous', 'off', 'canary'.repeat(11)],
  BOOTSTRAP_API_KEY: ['canary', 'eng_canary'],
  METRICS_TOKEN: ['canary', 'ein Schlüssel mit canary'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['canary', 'grpc://canary:4317'],
  OTEL_TRACES_EXPORTER: ['canary'],
  OTEL_METRICS_EXPORTER: ['canary'],
  OTEL_LOGS_EXPORTER: ['canary'],
  RESEND_API_KEY: ['re_canary\nx: y'],
  RESEND_BASE_URL: ['canary', 'ftp://canary'],
  API_RATE_LIMIT: [
    'canary',
    '600',
    '0/min',
    '-1/s',
    '1.5/s',
    '600/m',
    '600 / min',
    '1e3/h',
    '9999999999/s',
  ],
  ANONYMOUS_ACCESS: ['canary', 'true'],
  OUTGOING_ALLOWED_HOSTS: [
    'canary',
    'http://canary:80',
    'canary:',
    'a:1, Canary:2',
    'a b:80',
    '[]:80',
  ],
  PLUGIN_INDEX_URL: [
    'canary',
    'ftp://canary/index.json',
    'http://canary.example/index.json',
    'http://localhost.canary/index.json',
    'https://a:canary@example.com/index.json',
    'https://example.com/index.json?key=canary',
  ],
  PLUGIN_SIGNATURES: ['canary', 'on', 'Require'],
  OIDC_RECHECK: ['canary', '60', '0h', '1.5h', '1 h', 'canary-1h', '100000d'],
  SCIM_ROLES_MAP: [
    'Canary=ADMIN',
    '["canary"]',
    '{"canary":1}',
    '{"canary":[]}',
    '{"canary":""}',
    '{"":"canary"}',
    '{"canary":"anonymous"}',
    `{"canary":"${'x'.repeat(65)}"}`,
  ],
  CORS_ORIGINS: [
    '*',
    'null',
    'canary',
    'https://canary/',
    'https://canary:443',
    'https://*.canary',
    'https://a, https://Canary',
    'https://a:b@canary',
    'ftp://canary',
  ],
  RESEND_WEBHOOK_SECRET: ['canary', 'whsec_canary', 'c2VjcmV0IGZvciBjYW5hcnkgb25seQ=='],
  SMTP_URL: [
    'canary',
    'https://canary.example.com',
    'smtp://',
    'smtp://user@canary',
    'smtp://:canary@host',
    'smtp://user:10%canary@host',
    'smtp://user:%ffcanary@host',
    'smtp://user:a/canary@host',
    'smtp://canary:0',
    'smtp://canary:99999',
    'smtp://canary/inbox',
    'smtp://canary#x',
    'smtp://canary?tls=maybe',
    'smtps://canary?tls=off',
  ],
  MAIL_BRAND_PRODUCT: ['canary\nBcc: canary', 'canary'.repeat(20)],
  MAIL_BRAND_ORGANISATION: ['canary\tcanary'],
  MAIL_BRAND_LOGO_URL: ['canary', 'http://canary/logo.png', 'javascript:canary'],
  MAIL_BRAND_SUPPORT: ['canary', 'http://canary', 'javascript:canary', 'https://a"canary'],
  MAIL_BRAND_LANGUAGE: ['canary', 'DE'],
  MAIL_FROM: ['canary', 'Engine <canary>', 'Engine canary@example.com', '<>'],
  CLOUDINARY_URL: ['cloudinary://', 'cloudinary://canary@cloud', 'https://a:canary@cloud'],
  BACKUP_SCHEDULE: ['canary', 'daily', '2:30', '24:00', '02:30,', '02:30 canary', '0 2 * * *'],
  BACKUP_S3_URL: [
    'canary',
    'https://s3.example.com/bucket/canary',
    'https://k:canary@s3.example.com/',
    'https://k:canary@s3.example.com/a/../b c',
    'https://k:canary@s3.example.com/bucket?regoin=eu',
    's3://k:canary@bucket',
  ],
  BACKUP_KEEP: ['canary', '0d', '7', '4w,7d', '7d,', '7d,canary', '-1d', ','],
  BACKUP_KEY: ['canary', 'canary'.repeat(6), `${'canary='.repeat(6)}==`],
  ...numbers('PORT', 'WEB_CONCURRENCY', 'DATABASE_POOL_SIZE', 'MAX_REPLICA_LAG_MS', 'TRUST_PROXY'),
  ...numbers('DATABASE_WAIT_MS', 'SESSION_MAX_DAYS', 'MAX_SEARCH_COST', 'SLOW_SEARCH_MS'),
  ...numbers('READ_TIMEOUT_MS', 'WRITE_TIMEOUT_MS', 'EXPORT_TIMEOUT_MS', 'MAX_EXPORT_BYTES'),
  ...numbers(
    'ERASURE_TIMEOUT_MS',
    'QUEUE_WAIT_MS',
    'SHED_DELAY_MS',
    'MAX_CONNECTIONS',
    'MAX_CONNECTIONS_PER_ADDRESS',
  ),
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
  ...numbers('PLUGIN_UNDO_INSTALLS', 'PLUGIN_UNDO_DAYS', 'INSTALL_WAIT_MS'),
  ...numbers('MAX_IMPORT_BYTES', 'MAX_BACKUP_BYTES', 'MAX_IMAGE_BYTES', 'MAX_IMAGE_PIXELS'),
}
/** Names of layers are checked by `layersFor`. */
const ANY_TEXT = ['NODE_ENV', 'DATA_DIR', 'BACKUP_DIR', 'OTEL_SERVICE_NAME', 'DISABLED_LAYERS']

test('wrong values of every setting are known', () => {
  expect([...Object.keys(WRONG), ...ANY_TEXT].sort()).toEqual(Object.keys(SETTINGS.shape).sort())
})

test.each(Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value])))(
  '%s is refused by its name as %j',
  (name, value) => {
    const wrong = () => parseEnv({ DATABASE_URL: SERVER, [name]: value })
    expect(wrong).toThrow(new RegExp(`^Invalid environment\\. ${name}`))
    expect(wrong).not.toThrow(/canary/)
    expect(wrong).not.toThrow(/Invalid (url|string|input)|regex|pattern/i)
  },
)

test.each([
  ['HOST', '::1'],
  ['HOST', '0.0.0.0'],
  ['HOST', 'engine-1.internal'],
  ['APP_URL', 'http://localhost:3000/'],
  ['APP_URL', 'https://example.com/engine'],
  ['DATABASE_URL', 'postgresql:///engine?host=/var/run/postgresql'],
  ['MAIL_FROM', 'engine@example.com'],
  ['MAIL_BRAND_PRODUCT', 'Größe & Co. <Data>'],
  ['MAIL_BRAND_LOGO_URL', 'https://example.com/logo.png?v=2'],
  ['MAIL_BRAND_SUPPORT', 'help@example.com'],
  ['MAIL_BRAND_SUPPORT', 'https://example.com/help?from=mail'],
  ['MAIL_FROM', '"Ann, of Engine" <engine@example.com>'],
  ['CLOUDINARY_URL', 'cloudinary://key:secret@cloud?upload_prefix=http://127.0.0.1:9'],
])('%s may be %s', (name, value) => {
  expect(parseEnv({ [name]: value })).toMatchObject({ [name]: value })
})

test('an address of a mail server is read with its defaults', () => {
  const read = (SMTP_URL: string) =>
    parseEnv({ SMTP_URL, MAIL_FROM: 'Ann <ann@example.com>' }).SMTP_URL
  expect(read('smtps://a%40b.example:p%2Fw%3A%25@mail.example.com')).toEqual({
    ...{ host: 'mail.example.com', port: 465, tls: 'implicit' },
    login: { user: 'a@b.example', password: 'p/w:%' },
  })
  expect(read('smtp://mail.example.com/')).toEqual({
    ...{ host: 'mail.example.com', port: 587, tls: 'starttls', login: null },
  })
  expect(read('smtp://[::1]:2525?tls=off')).toEqual({
    ...{ host: '::1', port: 2525, tls: 'off', login: null },
  })
  expect(read('smtp://mail?tls=off')).toMatchObject({ port: 25 })
})

test('mails go one way, and a mail server needs a sender of its own', () => {
  const SMTP_URL = 'smtp://user:canary@mail.example.com'
  const both = () =>
    parseEnv({ SMTP_URL, RESEND_API_KEY: 're_canary', MAIL_FROM: 'ann@example.com' })
  expect(both).toThrow(
    'Invalid environment. SMTP_URL: mails go one way: set either SMTP_URL or RESEND_API_KEY',
  )
  expect(both).not.toThrow(/canary/)
  expect(() => parseEnv({ SMTP_URL })).toThrow('MAIL_FROM: SMTP_URL needs a sender of yours')
})

test('a setting of blanks is not set', () => {
  expect(parseEnv({ PORT: ' ', TRUST_PROXY: ' ', HOST: ' ' })).toEqual(parseEnv({}))
})

test('people who register get a role that is no administrator’s', () => {
  const read = (REGISTRATION: string, more = {}) => parseEnv({ REGISTRATION, ...more })
  const role = { REGISTRATION_ROLE: 'Clerk' }
  expect(parseEnv({}).REGISTRATION).toEqual({ by: 'off', domains: [] })
  expect(read('invited').REGISTRATION).toEqual({ by: 'invited', domains: [] })
  expect(read(' Open ', role)).toMatchObject({ REGISTRATION: { by: 'open', domains: [] }, ...role })
  const domains = ['example.com', 'xn--80ak.example']
  expect(read(' domain: Example.com ,XN--80ak.example,', role).REGISTRATION.domains).toEqual(
    domains,
  )
  for (const who of ['open', 'domain:example.com'])
    expect(() => read(who)).toThrow('REGISTRATION_ROLE: is missing, and says')
  for (const who of [
    'domain:example.com:8080',
    'domain:example.com:example.org',
    'open:',
    'domain:',
  ])
    expect(() => read(who, role)).toThrow('REGISTRATION: must be off, invited, open or')
  const managing = RESERVED_ROLES.filter((name) =>
    can({ roles: [name], scopes: null }, 'users:manage'),
  )
  expect(managing.length).toBeGreaterThan(0)
  for (const name of managing)
    expect(() => read('open', { REGISTRATION_ROLE: name })).toThrow('must not be ADMIN, which')
})

test('who registers chooses a password, which must be of use', () => {
  const login = { OIDC_ACME_ISSUER: 'https://login.example.com', OIDC_ACME_CLIENT_ID: 'engine' }
  const read = (REGISTRATION: string) => () =>
    parseEnv({ REGISTRATION, REGISTRATION_ROLE: 'X', PASSWORD_SIGN_IN: 'false', ...login })
  for (const who of ['open', 'domain:example.com', 'invited'])
    expect(read(who)).toThrow('REGISTRATION: needs passwords, which PASSWORD_SIGN_IN=false')
  expect(read('off')).not.toThrow()
})
