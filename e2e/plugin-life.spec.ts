import { readFile } from 'node:fs/promises'
import type { APIRequestContext, APIResponse, Page } from '@playwright/test'
import { humanised } from '../components/data-table/field-label'
import {
  ADDED,
  added,
  CHANGED,
  COUNT,
  DELETED,
  EDITED,
  ENTITY,
  editedCity,
  editedState,
  firstVersion,
  ID,
  installedState,
  NAME,
  NOTHING_UNEXPLAINED,
  REMOVED,
  type State,
  secondVersion,
  stateOf,
  unexplained,
  upgradedState,
} from '../lib/testing/plugin-life'
import { expect, expectAccessible, test } from './fixtures'
import { BASE_URL } from './server-settings'

const PAGE = 1000
const RECORDS = `/api/entities/${ENTITY}`
/** Edited here and changed by the second version. */
const DISPUTED = EDITED.filter((id) => CHANGED.includes(id))
const DATA = `${ENTITY}/data.json`
const english = new Intl.NumberFormat('en')
/** The session may only change something from pages of its own. */
const SAME_ORIGIN = { headers: { Origin: BASE_URL } }

/** Every record, as the API returns them. */
async function stored(api: APIRequestContext): Promise<State> {
  const records: Record<string, unknown>[] = []
  for (let page = 0; ; page += 1) {
    const pagination = { page, size: PAGE }
    const sort = [{ field: 'id', direction: 'asc' }]
    const response = await api.post(`${RECORDS}/search`, { data: { pagination, sort } })
    expect(response.status()).toBe(200)
    const found = await response.json()
    records.push(...found.data)
    if (found.pagination.last) return stateOf(records)
  }
}

const expectState = async (api: APIRequestContext, expected: State) =>
  expect(unexplained(await stored(api), expected)).toEqual(NOTHING_UNEXPLAINED)

/** The console shows as many records as there are. */
async function expectTotal(page: Page, total: number): Promise<void> {
  await page.goto(`/entities/${ENTITY}`)
  await expect(page.getByText(`1–50 of ${english.format(total)}`)).toBeVisible()
}

/** What a plan or a result says about the data file: `300 changed, 9,690 same, …`. */
const dataFile = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByTitle(DATA) })
    .last()

const ready = (page: Page) => page.getByText('Ready to install')

async function plan(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.goto('/plugins')
  const file = { name, mimeType: 'application/zip', buffer }
  await page.getByLabel('Plugin archives').setInputFiles(file)
  await expect(ready(page)).toBeVisible({ timeout: 60_000 })
}

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
  await expect(ready(page)).toBeVisible({ timeout: 60_000 })
}

/** Installs what is planned; the result has the very words and numbers of the plan. */
async function installAsPlanned(page: Page, predicted: string): Promise<void> {
  const row = dataFile(page)
  await expect(row).toContainText(predicted, { timeout: 60_000 })
  const planned = (await row.innerText()).replace(/Will be (created|updated)/, (_, done) =>
    done === 'created' ? 'Created' : 'Updated',
  )
  await expect(ready(page)).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByText('3 files written, 0 failed')).toBeVisible({ timeout: 60_000 })
  expect(await dataFile(page).innerText()).toBe(planned)
}

const choice = (page: Page, id: number, name: string) =>
  page.getByRole('radiogroup', { name: `${ENTITY} ${id}` }).getByRole('radio', { name })

/** Some of it in the console, the bulk with the rights of its session. */
async function work(page: Page): Promise<void> {
  const [first = 0, ...edited] = EDITED
  await page.goto(`/entities/${ENTITY}?record=${first}&edit=true`)
  await page.getByRole('textbox', { name: 'city' }).fill(editedCity(first))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  for (const id of edited) {
    const data = { city: editedCity(id) }
    const { status } = await answer(
      page.request.patch(`${RECORDS}/${id}`, { data, ...SAME_ORIGIN }),
    )
    expect(status).toBe(200)
  }

  const [removed, ...deleted] = DELETED
  await page.goto(`/entities/${ENTITY}?record=${removed}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete record' }).click()
  await expect(page.getByText('1 record deleted')).toBeVisible()
  const query = [{ field: 'id', operator: 'in', value: deleted }]
  const data = { entity: ENTITY, query }
  const batch = page.request.delete(`${RECORDS}/batch`, { data, ...SAME_ORIGIN })
  expect((await answer(batch)).body.data).toEqual([{ effected: deleted.length }])

  const [own = 0, ...others] = ADDED
  await page.goto(`/entities/${ENTITY}?create=true`)
  const panel = page.getByRole('dialog')
  for (const [field, value] of Object.entries(added(own)))
    await panel.getByRole('textbox', { name: humanised(field), exact: true }).fill(String(value))
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText(`Created in ${ENTITY}`)).toBeVisible()
  const more = { data: others.map(added), ...SAME_ORIGIN }
  expect((await answer(page.request.post(`${RECORDS}/batch`, more))).status).toBe(201)
}

type Body = { data: { id: number }[]; pagination: { total: number } }

async function answer(asked: Promise<APIResponse>) {
  const response = await asked
  return { status: response.status(), body: (await response.json()) as Body }
}

/** The plugin's page counts what the API lists. */
async function expectDrift(page: Page, api: APIRequestContext, total: number): Promise<void> {
  const { body } = await answer(api.get(`/api/plugins/${ID}/drift?size=1`))
  expect(body.pagination.total).toBe(total)
  await page.goto('/plugins')
  const card = page.getByRole('listitem').filter({ hasText: NAME })
  if (total > 0) await expect(card).toContainText(`${total} changes here`)
  else await expect(card).not.toContainText('here')
  await page.goto(`/plugins/${ID}`)
  await expect(page.getByRole('tab', { name: 'Changes here' })).toContainText(String(total))
}

async function lastInstall(api: APIRequestContext): Promise<number> {
  const { body } = await answer(api.get(`/api/plugins/history?sort=id:desc&size=1`))
  return body.data[0]?.id ?? 0
}

test('install, edit, upgrade, roll back, upgrade otherwise, export, uninstall, install again', async ({
  admin,
  api,
}) => {
  test.setTimeout(600_000)
  const v2 = Buffer.from(await secondVersion())
  await plan(admin, 'crm-1.zip', Buffer.from(await firstVersion()))
  await installAsPlanned(admin, `${english.format(COUNT)} new`)
  await expectState(api, installedState())
  await expectTotal(admin, COUNT)
  await expectDrift(admin, api, 0)

  await work(admin)
  await expectState(api, editedState())
  await expectTotal(admin, editedState().size)
  await expectDrift(admin, api, EDITED.length + DELETED.length + ADDED.length)

  // The second version keeps what was edited here.
  await plan(admin, 'crm-2.zip', v2)
  await expect(admin.getByText('Replaces version 1.0.0 with 2.0.0.')).toBeVisible()
  await choose(admin, 'Records no longer in the plugin', 'Delete unedited ones')
  const conflicts = admin.getByRole('region', { name: 'Conflicts' })
  await expect(conflicts).toContainText(`${DISPUTED.length} conflicts: ${DISPUTED.length} kept`)
  const [disputed = 0] = DISPUTED
  await expect(
    conflicts
      .getByRole('listitem')
      .filter({ hasText: `${disputed}` })
      .first(),
  ).toContainText(/City.*Mine.*Edited 13.*Before.*City 13.*Plugin’s.*Town 13/)
  await expectAccessible(admin)
  await expectState(api, editedState())
  const same = COUNT - REMOVED.length - CHANGED.length - DELETED.length
  const predicted = `${CHANGED.length} changed, ${english.format(same)} same, ${REMOVED.length} deleted, ${DELETED.length} stay deleted, ${DISPUTED.length} conflicts`

  // One record is decided otherwise than the rest, by keyboard.
  await choice(admin, disputed, 'Keep mine').focus()
  await admin.keyboard.press('ArrowRight')
  await expect(choice(admin, disputed, 'Take the plugin’s')).toBeChecked()
  await expect(conflicts).toContainText(`${DISPUTED.length - 1} kept, 1 taken`)
  await admin.getByRole('button', { name: 'Update the plan' }).click()
  await installAsPlanned(admin, predicted)
  const kept = upgradedState((id) => id === disputed)
  await expectState(api, kept)
  await expectTotal(admin, kept.size)

  // Back to what was there before it.
  const upgrade = await lastInstall(api)
  await admin.goto(`/plugins/history/${upgrade}`)
  await expect(dataFile(admin)).toContainText(predicted)
  await admin.getByRole('button', { name: 'Roll back' }).click()
  const asking = admin.getByRole('alertdialog', { name: `Roll back ${NAME}?` })
  await expect(asking).toContainText('2.0.0 → 1.0.0', { timeout: 60_000 })
  await expect(asking).toContainText(`${CHANGED.length} as before`)
  await expect(asking).toContainText(`${REMOVED.length} created again`)
  await expectAccessible(admin)
  await expectState(api, kept)
  await asking.getByRole('button', { name: 'Roll back' }).click()
  await expect(admin.getByText(`${NAME} rolled back`)).toBeVisible({ timeout: 60_000 })
  await expect(admin.getByRole('button', { name: 'Undo the rollback' })).toBeVisible()
  const rollback = await lastInstall(api)
  await admin.getByRole('link', { name: `No. ${upgrade}` }).click()
  await expect(admin.getByRole('link', { name: `No. ${rollback}` })).toBeVisible()
  await expectState(api, editedState())
  await expectDrift(admin, api, EDITED.length + DELETED.length + ADDED.length)

  // Again, and the plugin's values win.
  await plan(admin, 'crm-2.zip', v2)
  await choose(admin, 'Records no longer in the plugin', 'Delete unedited ones')
  await admin.getByRole('radio', { name: 'Take all the plugin’s' }).click()
  await expect(
    admin.getByText(`${DISPUTED.length} conflicts: ${DISPUTED.length} taken`),
  ).toBeVisible()
  await admin.getByRole('button', { name: 'Update the plan' }).click()
  await installAsPlanned(admin, predicted)
  const taken = upgradedState(() => true)
  await expectState(api, taken)

  // Away, and back from its export.
  await admin.goto(`/plugins/${ID}`)
  await admin.getByRole('button', { name: 'Export', exact: true }).click()
  const downloading = admin.waitForEvent('download')
  await admin.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${ID}-2.0.0.zip`)
  const exported = await readFile(await download.path())

  await admin.getByRole('button', { name: 'Uninstall' }).click()
  const away = admin.getByRole('alertdialog', { name: `Uninstall ${NAME}?` })
  await expect(away).toContainText(`${english.format(taken.size)} records`)
  await away.getByRole('textbox').fill(NAME)
  await away.getByRole('button', { name: 'Uninstall' }).click()
  await expect(admin.getByText(`${NAME} uninstalled`)).toBeVisible({ timeout: 60_000 })
  expect((await api.get(`/api/plugins/${ID}`)).status()).toBe(404)
  expect((await api.get(RECORDS)).status()).toBe(404)

  await plan(admin, download.suggestedFilename(), exported)
  await installAsPlanned(admin, `${english.format(taken.size)} new`)
  await expectState(api, taken)
  await expectTotal(admin, taken.size)
})
