import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import {
  type APIRequestContext,
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  request,
} from '@playwright/test'
import { ADMIN, API_KEY, BASE_URL } from './server-settings'

type Fixtures = {
  /** In a whole run, a test that would begin too late is left out, and the end of the run says so. */
  inTime: undefined
  /** A test that is tried again begins as it did the first time. */
  cleanRetry: undefined
  /** The API, called with an administrator's key; `request` calls it without a credential. */
  api: APIRequestContext
  /** A page of the administrator, signed in. An error in its console fails the test. */
  admin: Page
  /** A page that is not signed in, equally strict. */
  visitor: Page
}

type Shared = { cookies: string }

export const test = base.extend<Fixtures, Shared>({
  // One sign-in for all: they are rate-limited.
  cookies: [
    async ({ browser }, use, { project, parallelIndex }) => {
      const page = await browser.newPage({ baseURL: BASE_URL })
      await page.goto('/login')
      await page.getByLabel('Email').fill(ADMIN.email)
      await page.getByLabel('Password').fill(ADMIN.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
      const path = `${project.outputDir}/admin-${parallelIndex}.json`
      await page.context().storageState({ path })
      await page.close()
      await use(path)
    },
    { scope: 'worker' },
  ],
  admin: async ({ browser, cookies }, use) => {
    await useStrictly(browser, { storageState: cookies }, use)
  },
  visitor: async ({ browser }, use) => {
    await useStrictly(browser, {}, use)
  },
  inTime: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
    async ({}, use, info) => {
      const latest = Number(process.env.E2E_LATEST ?? Infinity)
      info.skip(Date.now() > latest, 'too late for a run that CI ends after 90 minutes')
      await use(undefined)
    },
    { auto: true },
  ],
  cleanRetry: [
    async ({ api }, use, { retry, repeatEachIndex }) => {
      if (retry + repeatEachIndex > 0) await uninstallPlugins(api)
      await use(undefined)
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  api: async ({}, use) => {
    const headers = { Authorization: `Bearer ${API_KEY}` }
    const context = await request.newContext({ baseURL: BASE_URL, extraHTTPHeaders: headers })
    await use(context)
    await context.dispose()
  },
})
export { expect }

/** Those of tests. One that others refer to goes after them. */
async function uninstallPlugins(api: APIRequestContext): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const response = await api.get('/api/plugins?filter=id:starts:test.&size=100')
    expect(response.status()).toBe(200)
    for (const { id } of (await response.json()).data)
      await api.delete(`/api/plugins/${encodeURIComponent(id)}`)
  }
}

// Refusals that a test asks for, and Playwright's recorder, which tries its script in the frames of
// mails too and is refused there: no mail has a script of its own.
const EXPECTED = /status of 4\d\d|^Blocked script execution in 'about:srcdoc'/

/** Passes a page to `use`; an error in its console fails the test. */
async function useStrictly(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: BASE_URL, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text()))
      complaints.push(message.text())
  })
  await use(answering(page))
  await context.close()
  expect(complaints).toEqual([])
}

/** Goes on only once scripts have taken over a page that it opens: keys that are pressed before are lost, unlike clicks. */
export function answering(page: Page): Page {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await untilTakenOver(page)
    return response
  }
  const reload = page.reload.bind(page)
  page.reload = async (options) => {
    const response = await reload(options)
    await untilTakenOver(page)
    return response
  }
  return page
}

/** A page that never answers is for the journey to find out. */
async function untilTakenOver(page: Page): Promise<void> {
  await page.waitForFunction(isTakenOver, undefined, { timeout: 20_000 }).catch(() => {})
  // Listeners of keys follow what is drawn in a task of their own.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => setTimeout(drawn)))),
  )
}

/** Runs in the page, again and again: what it returns must not be a promise, which would be true. */
function isTakenOver(): boolean {
  const controls = document.querySelectorAll(
    'body :is(a[href], button, input, textarea, [role], [tabindex])',
  )
  return [...controls].every(
    (control) =>
      control.closest('.maplibregl-map') ||
      Object.keys(control).some((key) => key.startsWith('__reactProps$')),
  )
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** To the beginning of the page: what is half under its top bar counts as too small to press. */
export const scrollUp = (page: Page) => page.evaluate(() => window.scrollTo(0, 0))

/**
 * Checks the page in its present state against WCAG 2.2 AA, as far as it can be automated: in the theme that is shown everything,
 * in the other one its colors. They are alike else.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page, (axe) => axe.withTags(WCAG))).toEqual([])
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await showIn(page, isDark ? 'light' : 'dark')
  await expectContrast(page)
  await showIn(page, isDark ? 'dark' : 'light')
}

/** Checks the colors that are shown. */
async function expectContrast(page: Page): Promise<void> {
  expect(await violationsOf(page, (axe) => axe.withRules(['color-contrast']))).toEqual([])
}

/** They are alike: the first ones stand for those that make a check take seconds. */
const FURTHER_ROWS = 'tbody tr:nth-child(n + 6)'

async function violationsOf(
  page: Page,
  select: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  // What fades in or out has other colors on its way, and a list is named by its field once it is drawn.
  await untilStill(page)
  const unnamed = page.locator('[role="combobox"][aria-expanded="true"]:not([aria-controls])')
  await expect(unnamed).toHaveCount(0)
  const putBack = await takeOutClosedFrames(page)
  // Within the page: a page that has no other frames needs no second one to join their results.
  // What axe would preload are style sheets for rules that are off by default.
  const axe = new AxeBuilder({ page, ...(await usesLoadedAxe(page)) })
    .options({ resultTypes: ['violations'], preload: false })
    .setLegacyMode(page.frames().length === 1)
  const { violations } = await select(axe).exclude(FURTHER_ROWS).analyze()
  await putBack()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  )
}

/** A page that was checked before has axe in it, half a second of a busy machine. */
async function usesLoadedAxe(page: Page): Promise<{ axeSource?: string }> {
  const isLoaded = page.frames().length === 1 && (await page.evaluate(() => 'axe' in window))
  return isLoaded ? { axeSource: ';' } : {}
}

/** In a frame without scripts those of axe would never end. Returns how to put them back. */
async function takeOutClosedFrames(page: Page): Promise<() => Promise<void>> {
  const places = await page.evaluateHandle(() =>
    [...document.querySelectorAll('iframe[sandbox]:not([sandbox~="allow-scripts"])')].map(
      (frame) => {
        const place = document.createComment('')
        frame.replaceWith(place)
        return { frame, place }
      },
    ),
  )
  return () =>
    places.evaluate((taken) => {
      for (const { frame, place } of taken) place.replaceWith(frame)
    })
}

/** Shows the page as in a system with this theme, in its final colors. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await untilStill(page)
}

/** Waits for the animations of the page that end: asked again and again, as browsers that draw nothing new settle `finished` late or never. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )
  await page.waitForFunction(isStill, undefined, { polling: 20 })
}

/** Runs in the page. */
function isStill(): boolean {
  return document
    .getAnimations()
    .every(
      ({ effect, playState }) =>
        playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
    )
}

/** Uploads `public/samples/<name>.zip` and returns the response. */
export async function installSample(api: APIRequestContext, name: string) {
  const buffer = readFileSync(`public/samples/${name}.zip`)
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect(response.status()).toBe(200)
  return response.json()
}
