/**
 * Whether sign-in and reset take the same time for known and unknown emails, over HTTP:
 * `TRUST_PROXY=1 npm start`, then `npx tsx bench/equal-results.ts http://localhost:3000 <admin's
 * API key>`. Behind a "proxy", so that the limits per address of the caller don't end it.
 */
const [base = 'http://localhost:3000', key = ''] = process.argv.slice(2)
const ROUNDS = 60
const CALLS: Record<string, (email: string, n: number) => Promise<number>> = {
  'sign-in': signIn,
  reset: (email, n) => post('/api/auth/forget-password', JSON.stringify({ email }), JSON_TYPE, n),
}
const JSON_TYPE = { 'Content-Type': 'application/json' }

async function post(
  path: string,
  body: BodyInit,
  headers: HeadersInit,
  n: number,
): Promise<number> {
  const caller = { 'X-Forwarded-For': `10.0.${n % 250}.${Math.floor(Math.random() * 250)}` }
  const response = await fetch(base + path, {
    method: 'POST',
    body,
    headers: { ...headers, ...caller },
  })
  await response.arrayBuffer()
  return response.status
}

let csrf: { token: string; cookie: string } | undefined

async function signIn(email: string, n: number): Promise<number> {
  csrf ??= await readCsrf()
  const form = { csrfToken: csrf.token, email, password: 'not the password', json: 'true' }
  const headers = { cookie: csrf.cookie }
  return post('/api/auth/callback/credentials', new URLSearchParams(form), headers, n)
}

async function readCsrf() {
  const response = await fetch(`${base}/api/auth/csrf`)
  const cookie = response.headers.getSetCookie().map((text) => text.split(';')[0])
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  return { token: csrfToken, cookie: cookie.join('; ') }
}

/** Active users with passwords; each is used once, so that no limit is reached. */
async function addUsers(run: string): Promise<void> {
  const headers = { ...JSON_TYPE, 'X-Engine-ApiKey': key }
  for (let n = 0; n < ROUNDS; n++) {
    const body = {
      email: `known-${run}-${n}@example.com`,
      password: `${run} some words`,
      roles: ['X'],
      profile: {},
    }
    const made = await fetch(`${base}/api/users/init`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const { data } = (await made.json()) as { data: { userId: string }[] }
    const change = JSON.stringify({ status: 'ACTIVATED' })
    await fetch(`${base}/api/users/${data[0]?.userId}`, { method: 'PATCH', headers, body: change })
  }
}

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

async function main(): Promise<void> {
  for (const [name, call] of Object.entries(CALLS)) {
    const run = `${name}-${Date.now()}`
    await addUsers(run)
    const times: Record<string, number[]> = { known: [], unknown: [] }
    const statuses: Record<string, Set<number>> = { known: new Set(), unknown: new Set() }
    for (let n = 0; n < 2 * ROUNDS; n++) {
      const kind = n % 2 ? 'known' : 'unknown'
      const startedAt = performance.now()
      const status = await call(`${kind}-${run}-${Math.floor(n / 2)}@example.com`, n)
      times[kind]?.push(performance.now() - startedAt)
      statuses[kind]?.add(status)
    }
    for (const kind of ['known', 'unknown']) {
      const ms = median(times[kind] ?? []).toFixed(1)
      console.log(`${name}, ${kind}: median ${ms} ms, status ${[...(statuses[kind] ?? [])]}`)
    }
  }
}

void main()
