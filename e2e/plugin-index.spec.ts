import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, ownPort } from './server-settings'

const folder = mkdtempSync(join(tmpdir(), 'engine-index-'))
const site = join(folder, 'site')

/** Serves the folder `site`, as a web server for static files does. */
const files = createServer((request, response) => {
  const file = join(site, request.url ?? '')
  if (existsSync(file)) response.end(readFileSync(file))
  else response.writeHead(404).end()
})
let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  mkdirSync(site)
  files.listen(0, '127.0.0.1')
  await once(files, 'listening')
  const { port } = files.address() as AddressInfo
  server = await startOwnServer(ownPort(13), {
    PLUGIN_INDEX_URL: `http://127.0.0.1:${port}/index.json`,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  })
})
test.afterAll(async () => {
  await server?.stop()
  files.closeAllConnections()
  files.close()
  rmSync(folder, { recursive: true, force: true })
})

const engine = (...args: string[]) =>
  execFileSync(process.execPath, [resolve('bin/engine.mjs'), ...args], { cwd: folder })

/** Adds a version to the index, with what is new in it. */
function publish(version: string, changes: string): string {
  const content = {
    'engineplugin.json': { id: 'test.indexed', name: 'Indexed', version, changes },
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineEntities/IndexedThing.json': { name: 'IndexedThing', description: version },
  }
  for (const [path, json] of Object.entries(content)) {
    const file = join(folder, 'plugin', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(json))
  }
  const archive = join(site, `indexed-${version}.zip`)
  engine('pack', 'plugin', '--output', archive)
  engine('index', 'site', '--name', 'Acme plugins')
  return archive
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
}

test('plugins of an index are found, installed and updated, and swapped ones refused', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await signIn(page)
  await page.goto('/plugins')
  await page.getByRole('tab', { name: 'Available' }).click()
  await expect(page.getByText('The index of plugins could not be loaded')).toBeVisible()
  await expectAccessible(page)

  publish('1.0.0', 'The first version')
  const list = page.getByRole('list', { name: 'Available plugins' })
  // The server asks for an index once in three seconds at most.
  await expect(async () => {
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(list.getByText('test.indexed')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page.getByRole('heading', { name: 'Acme plugins' })).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search available plugins' })
  await search.fill('nothing of that name')
  await expect(page.getByText('No plugins match')).toBeVisible()
  await search.fill('indexed')
  await expectAccessible(page)

  await list.getByRole('button', { name: 'Install: Indexed' }).press('Enter')
  await expect(page.getByText('Ready to install')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What’s new in 1.0.0' })).toContainText(
    'The first version',
  )
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByText(/1 file written/)).toBeVisible()
  await expect(list.getByText('1.0.0 installed')).toBeVisible()

  publish('1.1.0', 'More things <b>for all</b>')
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect(list.getByRole('button', { name: 'Update to 1.1.0: Indexed' })).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  await page.getByRole('tab', { name: 'Installed' }).click()
  await page.getByRole('button', { name: 'Update Indexed to 1.1.0' }).click()
  await expect(page.getByRole('region', { name: 'What’s new in 1.1.0' })).toContainText(
    'More things <b>for all</b>',
  )
  await expect(page.getByText('Replaces version 1.0.0 with 1.1.0.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByText(/1 file written/)).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Update Indexed to 1.1.0' })).toHaveCount(0)

  writeFileSync(publish('1.2.0', ''), readFileSync(join(site, 'indexed-1.0.0.zip')))
  await page.getByRole('tab', { name: 'Available' }).click()
  const update = list.getByRole('button', { name: 'Update to 1.2.0: Indexed' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect(update).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await update.click()
  await expect(page.getByText('The archive is not the one of the index')).toBeVisible()

  rmSync(join(site, 'index.json'))
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect(page.getByText('The index could not be loaded again')).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  await expect(list.getByText('test.indexed')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await expectAccessible(page)
  await context.close()
})
