import type { APIRequestContext, Page } from '@playwright/test'
import { installBooks } from './books'
import { expect, expectAccessible, test } from './fixtures'

test('an entity comes back as it was left; an address that names something is the truth', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Kept')
  await admin.goto('/entities/Kept')
  const table = admin.getByRole('table', { name: 'Records of Kept' })
  await table.getByRole('button', { name: 'pages' }).click()
  await table.getByRole('button', { name: 'pages' }).click()
  await expect(admin).toHaveURL(/sort=pages:desc/)
  await admin.getByRole('button', { name: 'Columns' }).click()
  await admin.getByRole('checkbox', { name: 'lent' }).uncheck()
  await admin.getByRole('combobox', { name: 'Height of rows' }).click()
  await admin.getByRole('option', { name: 'Compact' }).click()
  await expect(table.getByRole('row').nth(1)).toHaveClass(/h-7/)
  await admin.keyboard.press('Escape')

  await admin.goto('/entities')
  await admin
    .getByRole('row', { name: /^Kept\s/ })
    .getByRole('link', { name: 'Kept' })
    .first()
    .click()
  await expect(admin).toHaveURL(/sort=pages:desc/)
  await expect(table.getByRole('row').nth(1)).toContainText('Book 149')
  await expect(table.getByRole('row').nth(1)).toHaveClass(/h-7/)
  await expect(table.getByRole('columnheader', { name: /^lent/i })).toHaveCount(0)

  await admin.goto('/entities/Kept?sort=title:asc')
  await expect(table.getByRole('columnheader', { name: /^lent/i })).toHaveCount(0)
  await expect(table.getByRole('row').nth(1)).toContainText('Book 000')
  await expect(admin).toHaveURL(/sort=title:asc/)
})

test('a view is saved, named while it is shown, updated, reset and left', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Viewed')
  const stored = async () => (await (await api.get('/api/views?entity=Viewed')).json()).data
  await admin.goto(
    '/entities/Viewed?sort=pages:desc&filter=[{"field":"lent","operator":"eq","value":true}]',
  )
  await admin.getByRole('button', { name: 'Views' }).click()
  await admin.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await admin.getByRole('textbox', { name: 'Name' }).fill('Lent, thickest first')
  await admin.getByRole('combobox', { name: 'Visible to' }).click()
  await admin.getByRole('option', { name: 'Everyone' }).click()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Save' }).click()
  const button = admin.getByRole('button', { name: /^Lent, thickest first/ })
  await expect(button).toHaveText('Lent, thickest first')
  const [saved] = await stored()
  expect(saved).toMatchObject({ name: 'Lent, thickest first', shared: true })

  await admin.getByRole('table').getByRole('button', { name: 'title' }).click()
  await expect(button).toHaveText('Lent, thickest first· changed')
  await button.click()
  await expectAccessible(admin)
  await admin.getByRole('menuitem', { name: 'Reset to' }).click()
  await expect(button).toHaveText('Lent, thickest first')
  await expect(admin.getByRole('row').nth(1)).toContainText('Book 148')
  expect((await stored())[0].params).toBe(saved.params)

  await admin.getByRole('table').getByRole('button', { name: 'title' }).click()
  await button.click()
  await admin.getByRole('menuitem', { name: 'Update' }).click()
  await expect(button).toHaveText('Lent, thickest first')
  expect((await stored())[0].params).toContain('sort=title:asc')

  await button.click()
  await admin.getByRole('menuitem', { name: 'All records' }).click()
  await expect(admin.getByText('1–50 of 150')).toBeVisible()
  await admin.getByRole('button', { name: 'Views' }).click()
  await admin.getByRole('menuitem', { name: /Lent, thickest first/ }).click()
  await expect(admin.getByText('1–50 of 75')).toBeVisible()
})

test('an entity opens with the default of a role; what a user keeps is gone after signing out', async ({
  admin,
  api,
  visitor,
}) => {
  await installBooks(api, 'Opened')
  await admin.goto('/entities/Opened?sort=pages:desc&cols=title,pages')
  await admin.getByRole('button', { name: 'Views' }).click()
  await admin.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await admin.getByRole('textbox', { name: 'Name' }).fill('For readers')
  await admin.getByRole('combobox', { name: 'Visible to' }).click()
  await admin.getByRole('option', { name: 'A role' }).click()
  await admin.getByRole('combobox', { name: 'Role', exact: true }).fill('Viewer')
  const roles = admin.getByRole('combobox', { name: 'Default for roles' })
  await roles.fill('VIEWER')
  await roles.press('Enter')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByRole('button', { name: 'For readers' })).toBeVisible()
  const views = await (await api.get('/api/views?entity=Opened')).json()
  expect(views.data).toMatchObject([
    { visibility: 'role', role: 'Viewer', defaultForRoles: ['VIEWER'], opens: false },
  ])

  await signInAs(visitor, api, 'VIEWER')
  await visitor.goto('/entities/Opened')
  await expect(visitor.getByRole('button', { name: 'For readers' })).toBeVisible()
  await expect(visitor.getByRole('row').nth(1)).toContainText('Book 149')
  await expect(visitor.getByRole('columnheader', { name: /^kind/i })).toHaveCount(0)
  await visitor.getByRole('table').getByRole('button', { name: 'title' }).click()
  await expect(visitor.getByRole('button', { name: 'For readers' })).toContainText('changed')
  expect(await keptBy(visitor)).toContain('private:list:entity:Opened')

  await visitor.getByRole('button', { name: 'For readers' }).click()
  await expect(visitor.getByRole('menuitem', { name: 'Update' })).toHaveCount(0)
  await visitor.getByRole('menuitem', { name: 'Manage views' }).click()
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Default for me: For readers' }).click()
  await expect(visitor.getByText('default for you')).toBeVisible()
  await expect(visitor.getByRole('button', { name: /^Edit/ })).toHaveCount(0)
  await visitor.keyboard.press('Escape')

  await visitor.getByRole('button', { name: /^Account / }).click()
  await visitor.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(visitor.getByLabel('Password')).toBeVisible()
  expect((await keptBy(visitor)).filter((name) => name.startsWith('private'))).toEqual([])
})

const keptBy = (page: Page) => page.evaluate(() => Object.keys(window.localStorage))

/** A new user with this role, signed in. */
async function signInAs(page: Page, api: APIRequestContext, role: string): Promise<void> {
  const email = `views-${Date.now().toString(36)}@example.com`
  const password = 'words of a reader'
  const user = { email, password, roles: [role], profile: {} }
  const { userId } = (await (await api.post('/api/users/init', { data: user })).json()).data[0]
  await api.patch(`/api/users/${userId}`, { data: { status: 'ACTIVATED' } })
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
}
