import { expect } from './fixtures'
import type { Job, Tools } from './job'

/** Jobs on users and keys, by their number in `jobs.md`. */
async function invite({ page }: Tools) {
  await page.getByRole('link', { name: 'New user' }).first().click()
  await page.getByRole('textbox', { name: 'Email' }).fill('new.colleague@example.com')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByRole('dialog', { name: /is created$/ })).toBeVisible()
}

async function makeKey({ page }: Tools) {
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
  await page.getByRole('combobox', { name: 'Entity' }).click()
  await page.getByRole('option').nth(1).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('dialog').getByText(/^eng_/)).toBeVisible()
  await page.getByRole('button', { name: 'I have copied it' }).click()
}

async function requireFactor({ page }: Tools) {
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Second factor required')).toBeVisible()
}

async function readAudit({ page }: Tools) {
  await page.getByRole('searchbox').fill('Installed')
  await page
    .getByRole('button', { name: /installed/i })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

export const JOBS_OF_PEOPLE: Record<number, Job> = {
  17: { begin: async () => '/users', act: invite, clicks: 4 },
  18: { begin: async () => '/settings', act: requireFactor, clicks: 2 },
  19: { begin: async () => '/api-keys', act: makeKey, clicks: 6 },
  20: { begin: async () => '/audit', act: readAudit, clicks: 2 },
}
