import type { APIRequestContext, Page, Request } from '@playwright/test'
import { installBooks, ROWS } from './books'
import { answering, expect, expectAccessible, test } from './fixtures'
import { BASE_URL } from './server-settings'
import { signedIn } from './signed-in'

const SOON = { timeout: 5_000 }

async function installLive(api: APIRequestContext, name: string): Promise<void> {
  await installBooks(api, name)
  const turned = await api.put(`/api/entities/${name}/events`, { data: { enabled: true } })
  expect(turned.status(), await turned.text()).toBe(200)
}

const patch = async (api: APIRequestContext, name: string, id: number, data: object) =>
  expect((await api.patch(`/api/entities/${name}/${id}`, { data })).status()).toBe(200)

/** Opens a page whose stream is open, too. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse((response) => response.url().includes('/api/changes'))
  await page.goto(path)
  await stream
}

const cell = (page: Page, id: number, field: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: `Select ${id}`, exact: true }) })
    .locator(`td[data-field="${field}"]`)

/** The streams of changes that pages hold. */
function streamsOf(...pages: Page[]): Set<Request> {
  const open = new Set<Request>()
  for (const page of pages) {
    page.on('request', (one) => one.url().includes('/api/changes') && open.add(one))
    page.on('requestfinished', (one) => open.delete(one))
    page.on('requestfailed', (one) => open.delete(one))
  }
  return open
}

const show = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('a table shows what others do, and never moves what is read', async ({
  admin,
  api,
  browser,
}) => {
  await installLive(api, 'LiveTable')
  const { page: other } = await signedIn(browser, api, ['EDITOR'])
  await openLive(admin, '/entities/LiveTable?sort=id:desc')
  await openLive(other, '/entities/LiveTable?sort=id:desc')
  await cell(other, 149, 'title').dblclick()
  await other.getByRole('textbox', { name: 'title' }).fill('From the other window')
  await other.keyboard.press('Enter')
  await expect(cell(admin, 149, 'title')).toHaveText('From the other window', SOON)
  await expect(admin.getByText('1 change by others')).toBeAttached()
  for (const title of ['x', 'y', 'z'])
    expect((await api.post('/api/entities/LiveTable', { data: { title } })).status()).toBe(201)
  expect((await api.delete('/api/entities/LiveTable/148')).status()).toBe(200)
  await expect(admin.getByText('3 new records, 1 deleted')).toBeVisible(SOON)
  await expect(admin.getByRole('row').nth(1)).toContainText('Book 149')
  await expect(cell(admin, 148, 'title')).toBeVisible()
  await expect(admin.locator('tr[aria-description="deleted"]')).toHaveCount(1)
  await expect(admin.getByRole('navigation', { name: 'Pages' })).toContainText(String(ROWS + 2))
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(admin.getByRole('row').nth(1)).toContainText('z')
  await expect(cell(admin, 148, 'title')).toHaveCount(0)
  await expect(admin.getByText('3 new records')).toHaveCount(0)
  await other.context().close()
})

test('a filtered table counts only new records that belong to it', async ({ admin, api }) => {
  await installLive(api, 'LiveFilter')
  const filter = JSON.stringify([{ field: 'kind', operator: 'eq', value: 'atlas' }])
  await openLive(admin, `/entities/LiveFilter?filter=${encodeURIComponent(filter)}`)
  const add = (kind: string) =>
    api.post('/api/entities/LiveFilter', { data: { title: 'new', kind } })
  await add('novel')
  await add('atlas')
  await expect(admin.getByText('1 new record')).toBeVisible(SOON)
  await patch(api, 'LiveFilter', 2, { kind: 'poem' })
  await expect(cell(admin, 2, 'kind')).toHaveText('poem', SOON)
})

test('an open form says what others changed, and lets one choose', async ({ admin, api }) => {
  await installLive(api, 'LiveForm')
  await openLive(admin, '/entities/LiveForm?record=5&edit=true')
  const panel = admin.getByRole('dialog')
  const title = panel.getByRole('textbox', { name: 'title' })
  await title.fill('Mine')
  await patch(api, 'LiveForm', 5, { title: 'Theirs', pages: 77 })
  await expect(panel.getByText('changed this record')).toBeVisible(SOON)
  const changes = panel.getByRole('region', { name: 'What was changed' })
  await expect(changes).toContainText('Mine')
  await expect(changes).toContainText('Theirs')
  // What was not typed would not be sent either.
  await expect(changes).toHaveText(/^Yours → theirs.*Mine.*Theirs.*Also changed.*77/)
  await expect(changes.getByText('yours:')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel.getByText('Nothing was saved. What you typed is kept.')).toBeVisible()
  await expect(panel.getByText('Someone else changed this record')).toHaveCount(0)
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Keep typing' }).click()
  await expect(changes).toHaveCount(0)
  await patch(api, 'LiveForm', 5, { pages: 78 })
  await panel.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(panel.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  const stored = async () => (await (await api.get('/api/entities/LiveForm/5')).json()).data[0]
  expect(await stored()).toMatchObject({ title: 'Mine', pages: 78 })
  await panel.getByRole('button', { name: 'Edit', exact: true }).click()
  await title.fill('Mine again')
  await patch(api, 'LiveForm', 5, { title: 'Theirs again' })
  await panel.getByRole('button', { name: 'Take theirs' }).click()
  await expect(title).toHaveValue('Theirs again')
})

test('tabs share one stream, and hidden ones hold none', async ({ admin, api }) => {
  await installLive(api, 'LiveTabs')
  const second = answering(await admin.context().newPage())
  const streams = streamsOf(admin, second)
  await openLive(admin, '/entities/LiveTabs')
  await second.goto(`${BASE_URL}/entities/LiveTabs`)
  await patch(api, 'LiveTabs', 1, { title: 'Seen by both' })
  for (const page of [admin, second])
    await expect(cell(page, 1, 'title')).toHaveText('Seen by both', SOON)
  expect(streams.size).toBe(1)
  await show(admin, 'hidden')
  await patch(api, 'LiveTabs', 2, { title: 'Seen by one' })
  await expect(cell(second, 2, 'title')).toHaveText('Seen by one', SOON)
  await expect.poll(() => streams.size).toBe(1)
  await show(second, 'hidden')
  await expect.poll(() => streams.size).toBe(0)
  await patch(api, 'LiveTabs', 3, { title: 'Caught up' })
  await show(admin, 'visible')
  await expect(cell(admin, 3, 'title')).toHaveText('Caught up', SOON)
  await expect(cell(admin, 2, 'title')).toHaveText('Seen by one')
})

test('a tab whose entity can no longer be followed takes no stream from another tab', async ({
  admin,
  api,
}) => {
  await installLive(api, 'LiveGoesOn')
  await installLive(api, 'LiveEnds')
  await openLive(admin, '/entities/LiveGoesOn')
  const second = answering(await admin.context().newPage())
  const both = admin.waitForResponse((response) => response.url().includes('LiveEnds'))
  await second.goto(`${BASE_URL}/entities/LiveEnds`)
  await both
  const alone = admin.waitForResponse(
    (response) => response.ok() && /entities=LiveGoesOn&since=/.test(response.url()),
  )
  const off = await api.put('/api/entities/LiveEnds/events', { data: { enabled: false } })
  expect(off.status()).toBe(200)
  await alone
  await admin.bringToFront()
  await patch(api, 'LiveGoesOn', 1, { title: 'Still seen' })
  await expect(cell(admin, 1, 'title')).toHaveText('Still seen', SOON)
  await second.close()
})

test('what happened without a connection is there once it is back', async ({ api, browser }) => {
  await installLive(api, 'LiveAway')
  const { page } = await signedIn(browser, api, ['EDITOR'])
  await openLive(page, '/entities/LiveAway')
  await page.context().setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await patch(api, 'LiveAway', 1, { title: 'While away' })
  await page.context().setOffline(false)
  await expect(cell(page, 1, 'title')).toHaveText('While away', { timeout: 10_000 })
  await page.context().close()
})

test('without events there is no stream', async ({ admin, api }) => {
  await installBooks(api, 'Quiet')
  const streams = streamsOf(admin)
  await admin.goto('/entities/Quiet?record=1')
  await expect(admin.getByRole('dialog')).toBeVisible()
  expect(streams.size).toBe(0)
})
