import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { installBooks, totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { ADMIN } from './server-settings'

async function chooseAct(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Where the session has not confirmed a moment ago, in another test; `done`: what comes then. */
async function confirmIdentity(page: Page, done: Promise<unknown>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const isAsked = dialog.waitFor().then(
    () => true,
    () => false,
  )
  if (!(await Promise.race([isAsked, done.then(() => false)]))) return
  await dialog.getByLabel('Password').fill(ADMIN.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}

test('a person is exported, and erased after it was told what that does', async ({
  admin,
  api,
}) => {
  const email = `lee-${Date.now().toString(36)}@example.com`
  const made = await api.post('/api/users/init', {
    data: { email, roles: ['VIEWER'], profile: {} },
  })
  const { userId } = (await made.json()).data[0]
  await admin.goto(`/users/${userId}`)
  await chooseAct(admin, 'Export all data')
  const downloading = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Export', exact: true }).click()
  await confirmIdentity(admin, downloading)
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(JSON.parse(file).account[0]).toMatchObject({ email })

  await chooseAct(admin, 'Erase everywhere')
  const question = admin.getByRole('alertdialog')
  await expect(question.getByText('engine.users: 1 deleted, 0 changed')).toBeVisible()
  await expect(question.getByRole('button', { name: 'Erase person' })).toBeDisabled()
  await question.getByRole('textbox').fill(email)
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Erase person' }).click()
  await expect(admin).toHaveURL(/\/users$/)
  await expect(admin.getByText(/erased-[0-9a-f]{8} stands in their place/)).toBeVisible()
  const log = await (await api.get('/api/entities/EngineAuditLog?size=200&sort=id:desc')).text()
  expect(log).toContain('users.erase')
  expect(log).not.toContain(email)
})

test('records that meet conditions are erased in all copies', async ({ admin, api }) => {
  await installBooks(api, 'Erased')
  await admin.goto('/entities/Erased?filter=pages:gt:140')
  await chooseAct(admin, 'Erase matching records')
  const question = admin.getByRole('alertdialog')
  await expect(question.getByText('Erase 10 records of Erased everywhere?')).toBeVisible()
  await expect(question.getByText('entities.erased: 10 deleted, 0 changed')).toBeVisible()
  await question.getByRole('textbox').fill('Erased')
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Erase records' }).click()
  const told = admin.getByText('10 records of Erased erased in all copies')
  await confirmIdentity(admin, told.waitFor())
  await expect(told).toBeVisible()
  expect(await totalOf(api, 'Erased')).toBe(140)
})
