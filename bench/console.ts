/**
 * The entity browser on a million records, in a real Chromium against the production build (which
 * `npm run build` makes first), on PostgreSQL:
 * `BENCH_DATABASE_URL=postgres://… npx tsx bench/console.ts`.
 */
import { chromium, type Page } from 'playwright'
import { startOwnServer } from '../e2e/own-server'
import { MAX_SCRIPT_BYTES } from '../e2e/script-limit'
import { ADMIN } from '../e2e/server-settings'
import { chromiumLaunchOptions } from '../scripts/steps/chromium.mjs'
import { type Observed, observe, observed, takeLongest, usableSince } from './console-observer'
import { quantile } from './http/rounds'
import { withMillion } from './million-records'

const PORT = Number(process.env.BENCH_PORT ?? 4399)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const ADDRESS = '/entities/Person'
const ROWS = 50

/** In ms; of a usable page in three of four visits, else of the median one. */
const GOALS = { usable: 400, task: 100, shift: 0.004, scriptKb: MAX_SCRIPT_BYTES / 1000 }

type Load = Observed & { usable: number; total: number; scriptKb: number; calls: string[] }

await withMillion(async (_, url) => {
  const server = await startOwnServer(PORT, {
    DATABASE_URL: url,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  })
  const browser = await chromium.launch((await chromiumLaunchOptions()) ?? {})
  try {
    const context = await browser.newContext({ baseURL: server.url })
    await context.addInitScript(observe)
    const page = await context.newPage()
    await signIn(page)
    await load(page)
    const loads: Load[] = []
    for (let round = 0; round < ROUNDS; round++) loads.push(await load(page))
    report(loads)
    reportTask('typing in the search', await typing(page))
    reportTask('scrolling 250 rows', await scrolling(page))
    reportTask('typing in the filter builder', await filtering(page))
  } finally {
    await browser.close()
    await server.stop()
  }
})

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /^Account / }).waitFor()
}

/** One visit with an empty cache, in ms since its start. */
async function load(page: Page): Promise<Load> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.clearBrowserCache')
  const scripts = new Set<string>()
  let bytes = 0
  client.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('javascript')) scripts.add(requestId)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  const calls: string[] = []
  const listen = (request: { url(): string; method(): string }) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`)
  }
  page.on('request', listen)
  await page.goto(ADDRESS, { waitUntil: 'commit' })
  const usable = Number(await (await page.waitForFunction(usableSince, ROWS)).jsonValue())
  await page.getByText(/of 1,000,000/).waitFor()
  const total = await page.evaluate(() => performance.now())
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByText(`${ROWS} selected`).waitFor()
  await page.waitForLoadState('networkidle')
  page.off('request', listen)
  await client.detach()
  return { ...(await page.evaluate(observed)), usable, total, scriptKb: bytes / 1000, calls }
}

/** The longest task of the page, in ms, while text is typed into the search. */
async function typing(page: Page): Promise<number> {
  await page.goto(ADDRESS)
  const box = page.getByRole('searchbox')
  await page.waitForLoadState('networkidle')
  await page.evaluate(takeLongest)
  await box.pressSequentially('person.99999', { delay: 60 })
  await page.getByText('person.99999@example.com').first().waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate(takeLongest)
}

async function scrolling(page: Page): Promise<number> {
  await page.goto(`${ADDRESS}?size=250`)
  await page.getByRole('row').nth(250).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(takeLongest)
  await page.getByRole('row').nth(5).hover()
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 200)
  await page.getByRole('row').nth(250).scrollIntoViewIfNeeded()
  return page.evaluate(takeLongest)
}

async function filtering(page: Page): Promise<number> {
  await page.goto(ADDRESS)
  await page.waitForLoadState('networkidle')
  await page.evaluate(takeLongest)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('option', { name: 'Name' }).click()
  await page.keyboard.type('Person 123456', { delay: 40 })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: /^Remove the condition ./ }).waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate(takeLongest)
}

function report(loads: Load[]): void {
  const of = (pick: (load: Load) => number) => median(loads.map(pick))
  goal(
    'first page usable, p75',
    quantile(
      loads.map(({ usable }) => usable),
      0.75,
    ),
    GOALS.usable,
    'ms',
  )
  print(`the exact total stands there after ${Math.round(of(({ total }) => total))} ms`)
  goal(
    'longest task of a load',
    of(({ longest }) => longest),
    GOALS.task,
    'ms',
  )
  goal(
    'layout shift',
    of(({ shift }) => shift),
    GOALS.shift,
    '',
  )
  goal(
    'scripts, compressed',
    of(({ scriptKb }) => scriptKb),
    GOALS.scriptKb,
    'kB',
  )
  print(`requests to the API after the page itself: ${loads[0]?.calls.join(', ') || 'none'}`)
}

function reportTask(what: string, longest: number): void {
  goal(`longest task of ${what}`, longest, GOALS.task, 'ms')
}

function goal(what: string, value: number, most: number, unit: string): void {
  const missed = value > most
  if (missed) process.exitCode = 1
  const shown = most < 1 ? value.toFixed(3) : Math.round(value)
  print(`${what}: ${shown} ${unit} (goal: at most ${most})${missed ? ' MISSED' : ''}`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
