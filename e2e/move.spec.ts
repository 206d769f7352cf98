import { existsSync } from 'node:fs'
import { type Browser, type Page, request } from '@playwright/test'
import sharp from 'sharp'
import { installBooks, ROWS } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, ownPort } from './server-settings'

const [OLD, NEW] = [ownPort(7), ownPort(8)]

async function open(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, acceptDownloads: true })
  return context.newPage()
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
}

const apiOf = (url: string) =>
  request.newContext({ baseURL: url, extraHTTPHeaders: { Authorization: `Bearer ${API_KEY}` } })

/** Downloads a backup in the settings, as the administrator. */
async function download(page: Page, path: string): Promise<void> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Download a backup' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(ADMIN.password)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await (await downloading).saveAs(path)
  await expect(page.getByText('The backup is being written')).toBeVisible()
  await expectAccessible(page)
}

const choose = (page: Page, path: string) =>
  page.getByLabel('Backup', { exact: true }).setInputFiles(path)

test('everything moves to a new server, and a restore that is cut off leaves it empty', async ({
  browser,
}, testInfo) => {
  test.setTimeout(240_000)
  const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = ADMIN
  const first = await startOwnServer(OLD, {
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    BOOTSTRAP_API_KEY: API_KEY,
  })
  const path = testInfo.outputPath('engine.tar')
  const oldApi = await apiOf(first.url)
  let image: { fileId: string }
  try {
    await installBooks(oldApi, 'Moved')
    const file = {
      name: 'boot.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    }
    const uploaded = await oldApi.post('/api/images/upload', {
      multipart: { file, assetId: 'boot' },
    })
    image = (await uploaded.json()).data[0]
    const page = await open(browser, first.url)
    await signIn(page)
    await download(page, path)
    await page.context().close()
  } finally {
    await oldApi.dispose()
    await first.stop()
  }

  let second = await startOwnServer(NEW)
  try {
    const page = await open(browser, second.url)
    await page.goto('/')
    await expect(page).toHaveURL(/\/setup$/)
    await expectAccessible(page)
    await choose(page, path)
    await expect.poll(() => existsSync(`.data/e2e-${NEW}/restore`), { intervals: [2] }).toBe(true)
    await second.kill()
    second = await startOwnServer(NEW, { KEEP_DATA: '1' })

    await page.goto('/setup')
    await expect(page.getByText('The last restore was interrupted')).toBeVisible()
    await choose(page, 'package.json')
    await expect(page.getByText('This file is no whole backup')).toBeVisible()
    await choose(page, path)
    await expect(page.getByText('Everything is restored')).toBeVisible({ timeout: 60_000 })
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await signIn(page)
    await page.goto('/entities/Moved')
    await expect(page.getByText('Book 000')).toBeVisible()
    const api = await apiOf(second.url)
    const { pagination } = await (await api.get('/api/entities/Moved?size=1')).json()
    expect(pagination.total).toBe(ROWS)
    const moved = (await (await api.get(`/api/images/${image.fileId}`)).json()).data[0]
    const content = await api.get(new URL(moved.uri).pathname)
    expect(content.status()).toBe(200)
    const again = await api.post('/api/auth/restore', {
      multipart: {
        file: { name: 'engine.tar', mimeType: 'application/x-tar', buffer: Buffer.from('x') },
      },
    })
    expect(again.status()).toBe(409)
    await api.dispose()
    await page.goto('/audit')
    await expect(page.getByText('Backup restored')).toBeVisible()
  } finally {
    await second.stop()
  }
})
