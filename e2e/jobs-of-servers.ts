import { stat } from 'node:fs/promises'
import { expect } from './fixtures'
import type { Job, Tools } from './job'
import { startOwnServer } from './own-server'
import { ADMIN, ownPort } from './server-settings'

/** What an administrator is asked in a week about servers, by its number in `jobs.md`. */
const button = (page: Tools['page'], name: string) =>
  page.getByRole('button', { name, exact: true })

let second: Awaited<ReturnType<typeof startOwnServer>> | undefined

async function newServer() {
  second = await startOwnServer(ownPort(9))
  return '/settings'
}

async function move({ page }: Tools) {
  await button(page, 'Download a backup').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(ADMIN.password)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const path = await (await downloading).path()
  expect((await stat(path)).size).toBeGreaterThan(0)
  const presses = await page.evaluate(() => sessionStorage.getItem('presses'))
  await page.goto(`${second?.url}/setup`)
  // The storage of a tab is of one server.
  await page.evaluate((made) => sessionStorage.setItem('presses', made ?? ''), presses)
  await page.getByLabel('Backup', { exact: true }).setInputFiles(path)
  await expect(page.getByText('Everything is restored')).toBeVisible()
}

export const JOBS_OF_SERVERS: Record<number, Job> = {
  32: { begin: newServer, act: move, end: () => second?.stop(), clicks: 2 },
}
