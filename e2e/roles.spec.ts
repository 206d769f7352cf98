import type { APIRequestContext, Page } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { signedIn, statusOf } from './signed-in'

/** An entity and a role of its own: clerks read and create its records, and nobody deletes them but administrators. */
async function installDesk(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name: `${name} desk`, version: '1.0.0' })
  for (const target of ['EngineEntities', 'EngineRoles', 'EnginePolicies'])
    put(`${target}/__manifest__.json`, { target })
  put(`EngineEntities/${name}.json`, { name })
  const permissions = { write: false, update: false, delete: false }
  put(`EngineEntities/${name}Log.json`, { name: `${name}Log`, permissions })
  put('EngineRoles/r.json', { name: `${name}Clerk`, description: 'Keeps the desk.' })
  const policy = { principals: [`${name}Clerk`], entities: [name] }
  put('EnginePolicies/p.json', [
    { ...policy, name: `${name} clerks`, actions: ['read', 'write'] },
    { ...policy, name: `${name} kept`, principals: ['*'], actions: ['delete'], allow: false },
  ])
  put(`${name}/__manifest__.json`, { target: name })
  put(`${name}/data.json`, [{ id: 1, text: 'a' }])
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data).toMatchObject({ failedCount: 0 })
}

const unique = (name: string) => `${name}${Date.now().toString(36)}`

const rolesOf = async (api: APIRequestContext, email: string) =>
  (await (await api.get(`/api/users?filter=email:eq:${email}`)).json()).data[0]?.roles

test('roles are chosen by what they let somebody do', async ({ admin, api }) => {
  const name = unique('Desk')
  await installDesk(api, name)
  const email = `${name.toLowerCase()}@example.com`
  await admin.goto('/users/new')
  const roles = admin.getByRole('group', { name: 'Roles' })
  for (const role of ['Administrator', 'Editor', 'Viewer'])
    await expect(roles.getByRole('checkbox', { name: role })).not.toBeChecked()
  await expect(roles.getByText('May do everything')).toBeVisible()
  await expect(admin.getByLabel('Other roles')).toHaveCount(0)

  await admin.getByRole('textbox', { name: 'Email' }).fill(email)
  await admin.getByText('No password yet').click()
  await admin.getByRole('button', { name: 'Create user' }).click()
  await expect(roles.getByRole('alert')).toContainText('Give at least one role')
  await expect(roles.getByRole('checkbox', { name: 'Administrator' })).toBeFocused()

  await roles.getByRole('checkbox', { name: 'Viewer' }).check()
  await roles.getByRole('checkbox', { name: 'Other role' }).check()
  const others = admin.getByLabel('Other roles')
  await others.fill(`${name}Clark`)
  await others.press('Enter')
  await expect(roles.getByText(`“${name}Clark” grants nothing`)).toBeVisible()
  await expectAccessible(admin)
  await roles.getByRole('button', { name: `Remove ${name}Clark` }).click()
  await others.fill(`${name}Clerk`)
  await others.press('Enter')
  await expect(roles.getByText('Keeps the desk.')).toBeVisible()
  await expect(roles.getByText('grants nothing')).toHaveCount(0)
  await admin.getByRole('button', { name: 'Create user' }).click()
  await expect(admin.getByRole('heading', { name: email })).toBeVisible()
  expect(await rolesOf(api, email)).toEqual(['VIEWER', `${name}Clerk`])

  await admin.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(admin.getByRole('checkbox', { name: 'Viewer' })).toBeChecked()
  await admin.getByRole('checkbox', { name: 'Viewer' }).uncheck()
  await admin.getByRole('checkbox', { name: 'Other role' }).uncheck()
  await admin.getByRole('checkbox', { name: 'Editor' }).check()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByRole('dialog')).toBeHidden()
  expect(await rolesOf(api, email)).toEqual(['EDITOR'])
})

test('the matrix says what each role may do, as the server decides', async ({
  admin,
  api,
  browser,
}) => {
  const name = unique('Matrix')
  await installDesk(api, name)
  await admin.goto('/users')
  await admin
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Roles', exact: true })
    .click()
  await admin.getByRole('searchbox', { name: 'Search by entity' }).fill(name)
  await admin.getByRole('searchbox', { name: 'Search roles' }).fill(`${name}Clerk`)
  const table = admin.getByRole('table', { name: 'Rights of roles on entities' })
  await expect(table.getByRole('columnheader')).toHaveText(['Entity', `${name}Clerk`])
  await expect(table.getByRole('row').nth(1)).toContainText(
    'Read: added by a policy. Create: added by a policy. Change: not granted. Delete: denied by a policy.',
  )
  await expectAccessible(admin)
  await table.getByRole('button', { name, exact: true }).click()
  const panel = admin.getByRole('dialog', { name: `Rights on ${name}` })
  await expect(panel).toContainText(`Yes, policy “${name} clerks” of ${name} desk`)
  await expect(panel).toContainText(`No, denied by policy “${name} kept” of ${name} desk`)
  await expectAccessible(admin)

  const { page } = await signedIn(browser, api, [`${name}Clerk`])
  const path = `/api/entities/${name}`
  expect(await statusOf(page, 'GET', path)).toBe(200)
  expect(await statusOf(page, 'POST', path, { id: 2, text: 'b' })).toBe(201)
  expect(await statusOf(page, 'PATCH', `${path}/1`, { text: 'c' })).toBe(403)
  expect(await statusOf(page, 'DELETE', `${path}/1`)).toBe(403)
  await page.context().close()

  await admin.goto(`/roles?view=roles&role=${name}`)
  const row = admin.getByRole('row').filter({ hasText: `${name}Clerk` })
  await expect(row).toContainText(`Allows reading and creating records of ${name}`)
  await expect(row).toContainText(`From ${name} desk`)
  await expectAccessible(admin)
  await row.getByRole('link', { name: /^1 user with the role/ }).click()
  await expect(admin.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2)
})

test('the page of a user says what they may do, and why', async ({ admin, api, browser }) => {
  const name = unique('Why')
  await installDesk(api, name)
  const { page, userId } = await signedIn(browser, api, ['EDITOR', `${name}Clerk`])
  await admin.goto(`/users/${userId}`)
  await admin.getByRole('searchbox', { name: 'Search entities' }).fill(name)
  const row = admin.getByRole('table', { name: 'Rights on records' }).getByRole('row').nth(1)
  await expect(row.getByRole('cell').nth(0)).toHaveText(name)
  await expect(row.getByRole('cell').nth(1)).toHaveText(
    `Yesrole EDITOR and policy “${name} clerks” of ${name} desk`,
  )
  await expect(row.getByRole('cell').nth(3)).toHaveText('Yesrole EDITOR')
  await expect(row.getByRole('cell').nth(4)).toHaveText(
    `Nodenied by policy “${name} kept” of ${name} desk`,
  )
  await expect(admin.getByText('Upload images (EDITOR)')).toBeVisible()
  await expectAccessible(admin)
  expect(await statusOf(page, 'PATCH', `/api/entities/${name}/1`, { text: 'c' })).toBe(200)
  expect(await statusOf(page, 'DELETE', `/api/entities/${name}/1`)).toBe(403)
  await page.context().close()
})

const NO_PAGE = 'You don’t have access to this page'
const ADMINISTRATION = ['/users', '/users/new', '/roles', '/plugins?install=1', '/plugins/history']
const OPERATION = ['/api-keys?create=1', '/mail', '/audit', '/settings', '/entities/EngineUsers']

async function expectNoAdministration(page: Page): Promise<void> {
  for (const path of [...ADMINISTRATION, ...OPERATION]) {
    await page.goto(path)
    await expect(page.getByText(NO_PAGE), path).toBeVisible()
    await expect(page.getByRole('textbox'), path).toHaveCount(0)
  }
  for (const path of ['/api/roles', '/api/rights', '/api/users', '/api/mails', '/api/plugins'])
    expect(await statusOf(page, 'GET', path), path).toBe(403)
  const user = { email: 'x@example.com', roles: ['ADMIN'], profile: {} }
  expect(await statusOf(page, 'POST', '/api/users/init', user)).toBe(403)
}

test('who has no right is told whom to ask, and gets no form', async ({ browser, api }) => {
  const name = unique('None')
  await installDesk(api, name)
  const { page } = await signedIn(browser, api, ['Nobody'])
  for (const path of ['/', '/entities']) {
    await page.goto(path)
    await expect(page.getByText('You don’t have access to any records')).toBeVisible()
    await expect(
      page.getByText(/Your role Nobody gives no right.*Ask an administrator/),
    ).toBeVisible()
    await expect(page.getByText(/install (a plugin|one)/i)).toHaveCount(0)
    await expectAccessible(page)
  }
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link')).toHaveText(['Dashboard', 'Entities', 'API reference'])
  for (const path of [
    `/entities/${name}?create=true`,
    '/images?upload=true',
    '/trash',
    '/imports',
    '/exports',
  ]) {
    await page.goto(path)
    await expect(page.getByText(NO_PAGE), path).toBeVisible()
  }
  await expectNoAdministration(page)
  expect(await statusOf(page, 'POST', `/api/entities/${name}`, { text: 'x' })).toBe(403)
  await page.context().close()
})

test('an editor works with records, and with nothing of the administration', async ({
  browser,
  api,
}) => {
  const name = unique('Edited')
  await installDesk(api, name)
  const { page } = await signedIn(browser, api, ['EDITOR'])
  await page.goto('/entities')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(row).toContainText(`${name} desk`)
  await expect(row.getByRole('link', { name: `${name} desk` })).toHaveCount(0)
  await page.goto(`/entities/${name}?record=1`)
  const panel = page.getByRole('dialog')
  await expect(panel.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  expect(await statusOf(page, 'DELETE', `/api/entities/${name}/1`)).toBe(403)
  await page.goto(`/entities/${name}?q=nowhere`)
  await expect(page.getByRole('button', { name: 'Create' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).not.toContainText('Users')
  await expectNoAdministration(page)
  await page.context().close()
})

test('what a definition allows to nobody is offered to nobody', async ({ admin, api }) => {
  const name = unique('Shut')
  await installDesk(api, name)
  await admin.goto(`/entities/${name}`)
  await expect(admin.getByRole('button', { name: 'Create' })).toBeVisible()
  await admin.goto(`/entities/${name}Log?create=true`)
  await expect(admin.getByText('No records yet')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Create' })).toHaveCount(0)
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  expect((await api.post(`/api/entities/${name}Log`, { data: { text: 'x' } })).status()).toBe(403)
  await admin.goto(`/roles?q=${name}Log&role=admin`)
  await expect(admin.getByRole('row').nth(1)).toContainText('Create: closed by the definition.')
})
