import type { APIRequestContext, Locator, Page } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { BASE_URL } from './server-settings'
import { signedIn } from './signed-in'

const TWO_MINUTES = 120_000

/** Sales of two branches, and a name of its own. */
async function installSales(api: APIRequestContext): Promise<string> {
  const name = `Sale${Date.now().toString(36)}`
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [
      { name: 'branch', type: 'string' },
      { name: 'total', type: 'integer' },
      { name: 'margin', type: 'integer' },
      { name: 'owner', type: 'string' },
    ],
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  put(`EngineEntities/${name}.json`, { name, engineSchema: name, pks })
  put(`${name}/__manifest__.json`, { target: name })
  put(
    `${name}/data.json`,
    [1, 2, 3, 4, 5].map((id) => ({
      ...{ id, branch: id < 4 ? 'north' : 'south' },
      ...{ total: id * 10, margin: 7000 + id, owner: 'nobody' },
    })),
  )
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data).toMatchObject({ failedCount: 0 })
  return name
}

/** A new role, from the list of roles to its page. */
async function makeRole(page: Page, name: string): Promise<void> {
  await page.goto('/roles?view=roles')
  await page.getByRole('button', { name: 'New role' }).click()
  const form = page.getByRole('dialog', { name: 'New role' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('button', { name: 'Create role' }).click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

const cellOf = (page: Page, action: string, entity: string) =>
  page.getByRole('button', { name: new RegExp(`^${action} ${entity}: `) })

async function choose(within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label, exact: true }).click()
  await within.page().getByRole('option', { name: option, exact: true }).click()
}

/** A condition on the branch, whose value comes from there. */
async function addBranchCondition(form: Locator): Promise<void> {
  await form.getByRole('radio', { name: 'Some rows' }).click()
  const field = form.getByRole('combobox', { name: 'Field', exact: true })
  await field.fill('branch')
  await field.press('Enter')
  await choose(form, 'Operator', 'is')
}

const clients = async (key: string, path: string, init: RequestInit = {}) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${BASE_URL}${path}`, { ...init, headers })
  return { status: response.status, body: await response.json() }
}

test('a clerk of a branch is made from nothing, and sees and writes what the role says', async ({
  admin,
  api,
  browser,
}) => {
  const entity = await installSales(api)
  const role = `Clerk${entity}`
  const clerk = await signedIn(browser, api, [role])
  await api.patch(`/api/users/${clerk.userId}`, { data: { profile: { branch: 'north' } } })

  const begun = Date.now()
  await makeRole(admin, role)
  await admin.getByRole('searchbox', { name: 'Search entities' }).fill(entity)
  await cellOf(admin, 'Read', entity).click()
  const form = admin.getByRole('dialog', { name: `${role}: Read ${entity}` })
  for (const action of ['Create', 'Change'])
    await form.getByRole('checkbox', { name: action }).check()
  await addBranchCondition(form)
  await choose(form, 'Value: where from', 'From their profile')
  await form.getByRole('combobox', { name: 'Value: key of the profile' }).fill('branch')
  await form.getByRole('checkbox', { name: 'Margin' }).uncheck()
  await form.getByRole('button', { name: 'Value', exact: true }).click()
  const values = form.getByRole('region', { name: 'Forced values' })
  await choose(values, 'Field', 'Owner')
  await choose(values, 'Value: where from', 'Id of the person')
  await expect(form.getByText('3 of 5 records, 4 of 5 fields').first()).toBeVisible()
  await expect(form.getByRole('list', { name: 'Sample' })).not.toContainText('700')
  await form.getByRole('button', { name: 'Create policy' }).click()
  await expect(form).toBeHidden()
  await expect(cellOf(admin, 'Read', entity)).toHaveAccessibleName(/Some rows, 4 of 5 fields$/)
  expect(Date.now() - begun).toBeLessThan(TWO_MINUTES)
  await expectAccessible(admin)

  const { page } = clerk
  await page.goto(`/entities/${entity}`)
  await expect(page.getByText('1–3 of 3')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Margin' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const record = page.getByRole('dialog', { name: `New ${entity}` })
  await expect(record.getByLabel('Margin')).toHaveCount(0)
  await record.getByRole('textbox', { name: 'Branch' }).fill('north')
  await record.getByRole('spinbutton', { name: 'ID' }).or(record.getByLabel('ID')).first().fill('6')
  await record.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText(`Created in ${entity}`)).toBeVisible()
  const stored = (await (await api.get(`/api/entities/${entity}/6`)).json()).data[0]
  expect(stored).toMatchObject({ branch: 'north', owner: clerk.userId })
  await page.goto('/roles')
  await expect(page.getByText('None of your roles lets you manage users.')).toBeVisible()
  await expectAccessible(page)
  await page.context().close()

  await admin.goto(`/users/${clerk.userId}`)
  await admin.getByRole('link', { name: `View as ${clerk.email}` }).click()
  await admin.goto(`/entities/${entity}?as=user:${clerk.userId}`)
  const mark = admin.getByRole('region', { name: 'Viewed as somebody else' })
  await expect(mark).toContainText(`You see ${entity} as ${clerk.email} does`)
  await expect(admin.getByText('1–4 of 4')).toBeVisible()
  await expect(admin.getByRole('columnheader', { name: 'Margin' })).toHaveCount(0)
  await expect(admin.getByRole('button', { name: 'Create', exact: true })).toHaveCount(0)
  await expectAccessible(admin)
  await mark.getByRole('link', { name: 'Leave' }).click()
  await expect(admin.getByRole('heading', { name: clerk.email })).toBeVisible()
})

test('a key of an external client has a role that was made on the spot, and no more', async ({
  admin,
  api,
}) => {
  const entity = await installSales(api)
  const role = `Client${entity}`
  await admin.goto('/api-keys?create=1')
  const dialog = admin.getByRole('dialog', { name: 'New API key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`Shop ${entity}`)
  await dialog.getByRole('radio', { name: /Roles of its own/ }).click()
  await dialog.getByRole('button', { name: 'New role' }).click()
  const naming = admin.getByRole('dialog', { name: 'New role' })
  await naming.getByRole('textbox', { name: 'Name' }).fill(role)
  await naming.getByRole('button', { name: 'Create role' }).click()
  await expect(dialog.getByRole('checkbox', { name: role })).toBeChecked()
  await expect(dialog.getByText(`${role} grants nothing yet`)).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = (await admin.getByRole('dialog').getByText(/^eng_/).innerText()).trim()
  await admin.getByRole('button', { name: 'I have copied it' }).click()
  expect((await clients(key, `/api/entities/${entity}`)).status).toBe(403)

  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto(`/roles/${encodeURIComponent(role)}?entity=${entity}&action=read`)
  const form = admin.getByRole('dialog', { name: `${role}: Read ${entity}` })
  await addBranchCondition(form)
  await form.getByRole('textbox', { name: 'Value', exact: true }).fill('south')
  await form.getByRole('checkbox', { name: 'Margin' }).uncheck()
  await expect(form.getByText('2 of 5 records, 4 of 5 fields').first()).toBeVisible()
  await expectAccessible(admin)
  const overflow = await admin.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await form.getByRole('textbox', { name: 'Name of the policy' }).press('Enter')
  await expect(form).toBeHidden()

  const found = await clients(key, `/api/entities/${entity}`)
  expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([4, 5])
  expect(JSON.stringify(found.body)).not.toMatch(/margin|700/)
  expect((await clients(key, `/api/entities/${entity}/1`)).status).toBe(404)
  expect((await clients(key, `/api/entities/${entity}?sort=margin:asc`)).status).toBe(400)
  const body = JSON.stringify({ id: 9 })
  expect((await clients(key, `/api/entities/${entity}`, { method: 'POST', body })).status).toBe(403)
})

test('the rights of a role are walked by arrow keys', async ({ admin, api }) => {
  const entity = await installSales(api)
  await admin.goto('/roles/VIEWER')
  await admin.getByRole('searchbox', { name: 'Search entities' }).fill(entity)
  await cellOf(admin, 'Read', entity).focus()
  await admin.keyboard.press('ArrowRight')
  await expect(cellOf(admin, 'Create', entity)).toBeFocused()
  await admin.keyboard.press('Enter')
  const dialog = admin.getByRole('dialog', { name: `VIEWER: Create ${entity}` })
  await expect(dialog).toBeVisible()
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cellOf(admin, 'Create', entity)).toBeFocused()
})
