import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'

const DIGITS = '9007199254740993'
const NEXT = '9007199254740992'
const GROUPED = '12,345,678,901,234,567,890.123456789012345678'
const LONG = '12345678901234567890.123456789012345678'

/** `name` with two records whose keys are equal as doubles. */
async function installLedger(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, text: string) => zip.file(path, text)
  put('engineplugin.json', JSON.stringify({ id: `test.${name}`, name, version: '1.0.0' }))
  put('EngineSchemas/__manifest__.json', '{"target":"EngineSchemas"}')
  const properties = [
    { name: 'title', type: 'string' },
    { name: 'big', type: 'bigint' },
    { name: 'exact', type: 'decimal' },
    { name: 'note', type: 'json' },
  ]
  put(`EngineSchemas/${name}.json`, JSON.stringify({ name, properties }))
  put('EngineEntities/__manifest__.json', '{"target":"EngineEntities"}')
  const pks = [{ key: 'no', strategy: 'Fixed', type: 'number' }]
  put(`EngineEntities/${name}.json`, JSON.stringify({ name, pks }))
  put(`${name}/__manifest__.json`, JSON.stringify({ target: name }))
  const record = (no: string) =>
    `{"no":${no},"title":"Entry ${no}","big":${DIGITS},"exact":${LONG},"note":{"of":[${DIGITS},${LONG}]},"more":${DIGITS}}`
  put(`${name}/data.json`, `[${record(DIGITS)},${record(NEXT)}]`)
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const storedText = async (api: APIRequestContext, entity: string, key = DIGITS) =>
  (await (await api.get(`/api/entities/${entity}/${key}`)).text()).replaceAll(': ', ':')

const EVERY_DIGIT = [
  `"no":${DIGITS}`,
  `"big":${DIGITS}`,
  `"exact":${LONG}`,
  `"of":[${DIGITS}, ${LONG}]`,
  `"more":${DIGITS}`,
]

test('the form saves one field and leaves every digit of the others', async ({ admin, api }) => {
  await installLedger(api, 'Ledger')
  await admin.goto(`/entities/Ledger?record=${DIGITS}`)
  const panel = admin.getByRole('dialog')
  await expect(panel.getByText(GROUPED, { exact: true })).toBeVisible()
  await expect(panel.getByRole('region', { name: 'note' })).toContainText(DIGITS)
  await panel.getByRole('button', { name: 'Edit' }).click()
  await expect(panel.getByRole('textbox', { name: 'big' })).toHaveValue(DIGITS)
  await expect(panel.getByRole('textbox', { name: 'exact' })).toHaveValue(LONG)
  await expect(panel.getByRole('textbox', { name: 'Value of of' })).toHaveValue(new RegExp(LONG))
  await expectAccessible(admin)
  await panel.getByRole('textbox', { name: 'title' }).fill('Changed')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('heading', { name: 'Changed' })).toBeVisible()
  const text = await storedText(api, 'Ledger')
  for (const part of [...EVERY_DIGIT, '"title":"Changed"']) expect(text).toContain(part)
})

test('the JSON editor saves one value and leaves every digit of the others', async ({
  admin,
  api,
}) => {
  await installLedger(api, 'Journal')
  await admin.goto(`/entities/Journal?record=${DIGITS}&edit=true`)
  const panel = admin.getByRole('dialog')
  await panel.getByRole('tab', { name: 'JSON' }).click()
  const editor = panel.getByRole('textbox', { name: 'Record' })
  const before = await editor.inputValue()
  await editor.fill(
    before.replace(`Entry ${DIGITS}`, 'Changed').replace(`"more": ${DIGITS}`, `"more": ${NEXT}`),
  )
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('heading', { name: 'Changed' })).toBeVisible()
  const text = await storedText(api, 'Journal')
  for (const part of EVERY_DIGIT.slice(0, -1)) expect(text).toContain(part)
  expect(text).toContain(`"more":${NEXT}`)
})

test('filters, copies, exports and deletions mean the very number', async ({ admin, api }) => {
  await installLedger(api, 'Account')
  const filter = `[{"field":"no","operator":"eq","value":${DIGITS}}]`
  await admin.goto(`/entities/Account?filter=${encodeURIComponent(filter)}`)
  await expect(admin.getByText(`no is ${DIGITS}`)).toBeVisible()
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  const cell = admin.getByRole('cell', { name: GROUPED, exact: true })
  await cell.click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Only with this value' }).click()
  await expect(admin.getByText(`exact is ${GROUPED}`)).toBeVisible()
  await admin.reload()
  await expect(admin.getByText('1–1 of 1')).toBeVisible()

  await admin.getByRole('button', { name: 'Export', exact: true }).click()
  const download = admin.waitForEvent('download')
  await admin.getByRole('menuitem', { name: 'JSON' }).nth(1).click()
  const chunks: Buffer[] = []
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk)
  const exported = Buffer.concat(chunks).toString()
  expect(exported).toContain(LONG)
  expect(exported).not.toContain(NEXT)

  await admin.getByRole('checkbox', { name: `Select ${DIGITS}` }).check()
  await admin.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('button', { name: 'Delete record' }).click()
  await expect(admin.getByText('1 record deleted')).toBeVisible()
  expect((await api.get(`/api/entities/Account/${DIGITS}`)).status()).toBe(404)
  expect(await storedText(api, 'Account', NEXT)).toContain(`"no":${NEXT}`)
})
