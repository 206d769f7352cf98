import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { describeSettings } from './describe-settings'

const SECRETS = {
  NEXTAUTH_SECRET: 'canary-secret-of-32-characters-and-more',
  DATABASE_URL: 'postgres://someone:canary-password@db.example:5432/engine?password=canary-query',
  METRICS_TOKEN: 'canary-metrics-token',
  RESEND_API_KEY: 'canary-resend-key',
  RESEND_WEBHOOK_SECRET: 'whsec_canarywebhooksecret',
  CLOUDINARY_URL: 'cloudinary://canary-key:canary-secret@demo',
  ADMIN_PASSWORD: 'canary-admin-password',
  BOOTSTRAP_API_KEY: 'eng_canary-key-canary-key-canary-key-canary',
}
const all = (source: Record<string, string>) =>
  describeSettings(parseEnv(source)).flatMap(({ settings }) => settings)

test('says what is configured without a secret in it', () => {
  const settings = all(SECRETS)
  expect(JSON.stringify(settings)).not.toMatch(/canary/i)
  const values = Object.fromEntries(settings.map(({ label, value }) => [label, value]))
  expect(values).toMatchObject({
    Database: 'PostgreSQL at db.example:5432/engine',
    Images: 'Cloudinary (demo)',
    Delivery: 'Resend',
  })
})

test('names the mail server, and whom it knows us as', () => {
  const of = (SMTP_URL: string) =>
    all({ SMTP_URL, MAIL_FROM: 'a@example.com' }).find(({ label }) => label === 'Delivery')
  expect(of('smtp://ann%40example.com:canary@mail.example.com')).toMatchObject({
    ...{ state: 'set', value: 'mail.example.com:587 as ann@example.com' },
    hint: expect.stringContaining('over TLS (STARTTLS)'),
  })
  expect(of('smtp://localhost?tls=off')).toMatchObject({
    ...{ value: 'localhost:25', hint: expect.stringContaining('without encryption') },
  })
  const secrets = { SMTP_URL: 'smtps://ann:canary@mail', MAIL_FROM: 'a@example.com' }
  expect(JSON.stringify(all(secrets))).not.toMatch(/canary/)
})

test('says how far replicas are behind, and why one is not used', () => {
  const env = parseEnv({ ...SECRETS, DATABASE_REPLICA_URLS: 'postgres://u:canary@a/e' })
  const states = [
    { name: 'a/e', status: 'fresh', lagMs: 12, reason: null },
    { name: 'b/e', status: 'away', lagMs: null, reason: 'connect ECONNREFUSED' },
  ] as const
  const [server] = describeSettings(env, { replicas: states })
  expect(server?.settings.find(({ label }) => label === 'Read replicas')).toMatchObject({
    state: 'set',
    value: 'a/e: fresh, 12 ms behind; b/e: away (connect ECONNREFUSED)',
    hint: expect.stringContaining('1000 ms behind'),
  })
})

test('says whether stored values need the previous secret', () => {
  const env = parseEnv({
    ...SECRETS,
    NEXTAUTH_SECRET_PREVIOUS: 'canary-former-secret-of-32-characters',
  })
  const of = (outdated: number) =>
    describeSettings(env, { outdated })[0]?.settings.find(
      ({ label }) => label === 'Previous secret',
    )
  expect(of(3)).toMatchObject({ value: 'Stored values that need it: 3' })
  expect(of(0)).toMatchObject({ value: 'No stored value needs it' })
  expect(JSON.stringify(of(3))).not.toMatch(/canary/)
  expect(all(SECRETS).map(({ label }) => label)).not.toContain('Previous secret')
})

test('says how to set what is missing', () => {
  const missing = all({}).filter(({ state }) => state === 'missing')
  expect(missing.map(({ label }) => label)).toEqual(['Address', 'Delivery'])
  for (const { hint, variables } of missing) expect(hint).toContain(variables[0])
})

test('reports of deliveries are missing only where mails are sent', () => {
  const stateOf = (env: Record<string, string>) =>
    all(env).find(({ label }) => label === 'Delivery reports')?.state
  expect(stateOf({})).toBe('optional')
  expect(stateOf({ RESEND_API_KEY: 'key' })).toBe('missing')
})

test('says within what time providers confirm sessions', () => {
  const provider = { OIDC_OKTA_ISSUER: 'https://example.okta.com', OIDC_OKTA_CLIENT_ID: 'engine' }
  const of = (more: Record<string, string>) =>
    all(more).find(({ variables }) => variables.includes('OIDC_RECHECK'))
  expect(of({})).toBeUndefined()
  expect(of(provider)).toMatchObject({ state: 'default', value: 'Within 1 hour' })
  expect(of({ ...provider, OIDC_RECHECK: '90m' })).toMatchObject({ value: 'Within 90 minutes' })
  expect(of({ ...provider, OIDC_RECHECK: 'off' })).toMatchObject({ state: 'set', value: 'Off' })
})
