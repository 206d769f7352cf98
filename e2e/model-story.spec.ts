import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import {
  addField,
  type ClickedEntity,
  editEntity,
  editField,
  importRows,
  makeEntity,
} from './model-clicks'

const PLUGIN = 'local.tickets'
const REGIONS = ['north', 'south', 'east', 'west']
const STATUSES = ['open', 'paid', 'void']
const KEY = { name: 'code', isText: true }

const ENTITIES: ClickedEntity[] = [
  {
    ...{ plugin: PLUGIN, name: 'TicketRegion', key: KEY },
    fields: [{ name: 'title', flags: ['Required'] }],
  },
  {
    ...{ plugin: PLUGIN, name: 'TicketGuest', key: KEY },
    fields: [
      { name: 'name', flags: ['Required'] },
      { name: 'email', label: 'Email address' },
      { name: 'region', refersTo: 'TicketRegion' },
    ],
  },
  {
    ...{ plugin: PLUGIN, name: 'TicketShow', key: KEY },
    fields: [
      { name: 'title', flags: ['Required'] },
      { name: 'seats', type: 'integer' },
      { name: 'remarks' },
    ],
  },
  {
    ...{ plugin: PLUGIN, name: 'TicketSale', key: { name: 'id', isText: false } },
    fields: [
      { name: 'guest', refersTo: 'TicketGuest', flags: ['Required'] },
      { name: 'show', refersTo: 'TicketShow', flags: ['Required'] },
      { name: 'status', choices: STATUSES },
      { name: 'places', type: 'integer', flags: ['Required'] },
      { name: 'price', type: 'decimal', flags: ['Required'] },
      { name: 'total', type: 'decimal', computed: 'places * price' },
    ],
    unique: { fields: ['guest', 'show'], message: 'A guest has one sale for each show' },
  },
]

type Row = Record<string, string | number | null>

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const regions = (): Row[] => REGIONS.map((code) => ({ code, title: `The ${code}` }))
const guests = (): Row[] =>
  numbers(46).map((at) => ({
    ...{ code: `g${at}`, name: `Guest ${at}`, email: at % 5 === 0 ? null : `g${at}@example.com` },
    region: REGIONS[at % 4] as string,
  }))
const shows = (): Row[] =>
  numbers(30).map((at) => ({
    ...{ code: `s${at}`, title: `Show ${at}`, seats: 100 + at, remarks: `Hall ${at}` },
  }))
const sales = (): Row[] =>
  numbers(120).map((at) => ({
    ...{ guest: `g${at % 46}`, show: `s${at % 30}`, status: STATUSES[at % 3] as string },
    ...{ places: 1 + (at % 4), price: 10 + at / 4 },
  }))

const csv = (rows: readonly Row[]) => [
  Object.keys(rows[0] as Row).join(','),
  ...rows.map((row) => Object.values(row).join(',')),
]

/** All records of an entity by a field that tells them apart, without what the server adds. */
async function stored(api: APIRequestContext, entity: string, names: readonly string[]) {
  const response = await api.get(`/api/entities/${entity}?size=1000`)
  expect(response.status()).toBe(200)
  const { data } = (await response.json()) as { data: Row[] }
  const rows = data.map((row) => names.map((name) => [name, row[name] ?? null]))
  return rows.map((row) => JSON.stringify(Object.fromEntries(row))).sort()
}

/** Zero unexplained differences. */
async function expectRows(api: APIRequestContext, entity: string, rows: readonly Row[]) {
  const names = Object.keys(rows[0] as Row)
  const wanted = rows.map((row) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
  )
  expect(await stored(api, entity, names)).toEqual(wanted.sort())
}

async function exported(page: Page): Promise<JSZip> {
  await page.goto(`/plugins/${PLUGIN}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  return JSZip.loadAsync(await readFile(await (await downloading).path()))
}

async function plan(page: Page, zip: JSZip, version: string): Promise<void> {
  const head = JSON.parse((await zip.file('engineplugin.json')?.async('text')) ?? '')
  zip.file('engineplugin.json', JSON.stringify({ ...head, version }))
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  await page.goto('/plugins')
  const file = { name: `tickets-${version}.zip`, mimeType: 'application/zip', buffer }
  await page.getByLabel('Plugin archives').setInputFiles(file)
  await expect(page.getByText('Ready to install')).toBeVisible()
}

async function install(page: Page): Promise<void> {
  const card = page.getByRole('listitem').filter({ hasText: 'tickets-' })
  await card.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(card.getByText('Installed', { exact: true })).toBeVisible()
}

test('a model of four entities is made, filled, changed and upgraded by clicking, and no value is lost', async ({
  admin,
  api,
}) => {
  test.setTimeout(600_000)
  for (const entity of ENTITIES) await makeEntity(admin, entity)
  await importRows(admin, 'TicketRegion', csv(regions()))
  await importRows(admin, 'TicketGuest', csv(guests()))
  await importRows(admin, 'TicketShow', csv(shows()))
  await importRows(admin, 'TicketSale', csv(sales()))
  const sold = sales().map((row) => ({ ...row, total: Number(row.places) * Number(row.price) }))
  await expectRows(api, 'TicketSale', sold)

  // A field gets another name.
  await admin.goto('/entities/TicketGuest/definition')
  await admin.getByRole('button', { name: 'Rename email' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Rename email' })
  await dialog.getByRole('textbox', { name: 'New name' }).fill('mail')
  await dialog.getByRole('button', { name: 'Show the plan' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText('email was renamed to mail')).toBeVisible({ timeout: 60_000 })
  const renamed = guests().map(({ email, ...row }): Row => ({ ...row, mail: email as string }))
  await expectRows(api, 'TicketGuest', renamed)

  // A type becomes wider, one field required with a default; a name is split, and stays.
  await editEntity(admin, 'TicketShow', () => editField(admin, 'seats', { type: 'decimal' }))
  await editEntity(admin, 'TicketGuest', async () => {
    await editField(admin, 'mail', { default: 'unknown@example.com', flags: ['Required'] })
    await addField(admin, { name: 'familyName' })
    await expectAccessible(admin)
  })
  const required: Row[] = renamed.map((row) => ({
    ...row,
    mail: row.mail ?? 'unknown@example.com',
  }))
  await expectRows(
    api,
    'TicketGuest',
    required.map((row) => ({ ...row, familyName: null })),
  )

  // A field goes, and comes back with its values.
  await editEntity(admin, 'TicketShow', () =>
    admin.getByRole('button', { name: 'Remove remarks' }).click(),
  )
  await expectRows(
    api,
    'TicketShow',
    shows().map(({ remarks: _, ...row }) => row),
  )
  await admin.getByRole('button', { name: 'Show', exact: true }).click()
  await admin.getByRole('button', { name: 'Roll back' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await expect.poll(() => stored(api, 'TicketShow', ['remarks'])).toContain('{"remarks":"Hall 7"}')
  await expectRows(api, 'TicketShow', shows())

  // Its archive takes over the records, and its next version disputes one of them.
  const zip = await exported(admin)
  await plan(admin, zip, '8.0.0')
  await install(admin)
  await admin.goto('/entities/TicketGuest?record=g7&edit=true')
  await admin.getByRole('textbox', { name: 'Name', exact: true }).fill('Guest of honour')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const [path = ''] = Object.keys(zip.files).filter((name) => /^TicketGuest\/.*data/.test(name))
  const text = (await zip.file(path)?.async('text')) ?? ''
  zip.file(path, text.replace('Guest 7"', 'Guest seven"').replace('Guest 8"', 'Guest eight"'))
  await plan(admin, zip, '9.0.0')
  const conflicts = admin.getByRole('region', { name: 'Conflicts' })
  await expect(conflicts).toContainText('1 conflict: 1 kept')
  await expectAccessible(admin)
  await install(admin)
  const upgraded: Row[] = required.map((row) => ({
    ...row,
    name: { g7: 'Guest of honour', g8: 'Guest eight' }[String(row.code)] ?? (row.name as string),
  }))
  await expectRows(api, 'TicketGuest', upgraded)
  await expectRows(api, 'TicketShow', shows())
  await expectRows(api, 'TicketSale', sold)
})
