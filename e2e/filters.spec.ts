import type { APIRequestContext, Page } from '@playwright/test'
import JSZip from 'jszip'
import { totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { ADMIN } from './server-settings'

const DAY_MS = 86_400_000
const ROWS = 60

/** `name` with 60 loans: the first began today, each further one a day earlier; each is due a day later than the one before. */
async function installLoans(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [
      {
        name: 'title',
        type: 'string',
        required: true,
        searchable: { weight: 'A', language: 'simple' },
      },
      { name: 'kind', type: 'string', enum: ['novel', 'atlas', 'poem'] },
      { name: 'pages', type: 'integer' },
      { name: 'bought', type: 'datetime' },
      { name: 'due', type: 'date' },
      { name: 'assignee', type: 'string' },
      { name: 'profile', type: 'object' },
    ],
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  const [me] = (await (await api.get(`/api/users?filter=email:eq:${ADMIN.email}`)).json()).data
  const now = Date.now()
  const records = Array.from({ length: ROWS }, (_, i) => ({
    title: `Loan ${String(i).padStart(2, '0')}`,
    kind: ['novel', 'atlas', 'poem'][i % 3],
    pages: i + 1,
    bought: new Date(now - i * DAY_MS - 60_000).toISOString(),
    due: new Date(now + i * DAY_MS).toISOString().slice(0, 10),
    assignee: i < 4 ? me.userId : 'somebody-else',
    profile: { address: { city: i % 2 === 0 ? 'Rome' : 'Turin' }, stairs: i },
  }))
  put(`${name}/__manifest__.json`, { target: name })
  put(`${name}/data.json`, records)
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const conditionsOf = (page: Page) =>
  JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '[]')

const chipsOf = (page: Page) => page.getByRole('list', { name: 'Conditions' })
const builderOf = (page: Page) => page.getByRole('dialog', { name: 'Filter' })

/** The address holds these conditions, the list shows as many records as the server finds for them. */
async function expectFiltered(
  page: Page,
  api: APIRequestContext,
  entity: string,
  query: unknown[],
) {
  await expect.poll(() => conditionsOf(page)).toEqual(query)
  const total = await totalOf(api, entity, query)
  expect(total).toBeGreaterThan(0)
  await expect(page.getByText(new RegExp(`1–${Math.min(50, total)} of ${total}$`))).toBeVisible()
  return total
}

const filterOf = (query: unknown[]) => `filter=${encodeURIComponent(JSON.stringify(query))}`

test('two fields are filtered by in four clicks', async ({ admin, api }) => {
  await installLoans(api, 'Clicks')
  await admin.goto('/entities/Clicks')
  await expect(admin.getByText('1–50 of 60')).toBeVisible()
  await admin.evaluate(() => {
    Object.assign(window, { presses: 0 })
    const count = (event: MouseEvent) => {
      if (event.isTrusted && event.detail > 0) (window as unknown as { presses: number }).presses++
    }
    document.addEventListener('click', count, true)
  })
  await admin.getByRole('button', { name: 'Filter' }).click()
  await expect(admin.getByRole('option', { name: 'Title' })).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('option', { name: 'Title' }).click()
  await admin.keyboard.type('Loan 1')
  await admin.getByRole('button', { name: 'Condition', exact: true }).click()
  await admin.getByRole('option', { name: 'Pages' }).click()
  await admin.keyboard.type('15')
  await admin.keyboard.press('Enter')
  const query = [
    { field: 'title', operator: 'icontains', value: 'Loan 1' },
    { field: 'pages', operator: 'eq', value: '15' },
  ]
  expect(await expectFiltered(admin, api, 'Clicks', query)).toBe(1)
  const presses = () => (window as unknown as { presses: number }).presses
  expect(await admin.evaluate(presses)).toBeLessThanOrEqual(4)
})

test('times are given in words and stay relative', async ({ admin, api }) => {
  await installLoans(api, 'Relative')
  await admin.goto('/entities/Relative')
  await admin.getByRole('button', { name: 'Filter' }).click()
  await admin.getByRole('option', { name: 'Bought' }).click()
  await admin.keyboard.press('Enter')
  const week = { field: 'bought', operator: 'between', value: ['$now(-7d)', '$now'] }
  expect(await expectFiltered(admin, api, 'Relative', [week])).toBe(7)

  // A chip opens the builder at its value.
  await chipsOf(admin)
    .getByRole('button', { name: 'Bought is in the last 7 days', exact: true })
    .click()
  await expect(builderOf(admin).getByRole('spinbutton', { name: 'Value' })).toBeFocused()
  await admin.keyboard.press('Control+a')
  await admin.keyboard.type('20')
  await admin.keyboard.press('Enter')
  const more = { ...week, value: ['$now(-20d)', '$now'] }
  expect(await expectFiltered(admin, api, 'Relative', [more])).toBe(20)

  await chipsOf(admin)
    .getByRole('button', { name: /in the last 20 days/ })
    .first()
    .press('Enter')
  await builderOf(admin).getByRole('combobox', { name: 'Operator' }).click()
  await admin.getByRole('option', { name: 'is at or before' }).click()
  await builderOf(admin).getByRole('combobox', { name: 'Value' }).fill('2 weeks ago')
  await expect(builderOf(admin).getByText(/^Now: \d{4}-/)).toBeVisible()
  await admin.keyboard.press('Enter')
  const before = { field: 'bought', operator: 'lte', value: '$now(-2w)' }
  await expectFiltered(admin, api, 'Relative', [before])
  await expect(chipsOf(admin)).toContainText('Bought is at or before 2 weeks ago')

  await admin.getByRole('button', { name: /^Filter/ }).click()
  await builderOf(admin).getByRole('button', { name: 'Condition', exact: true }).click()
  await admin.keyboard.type('due:lte:in 3 weeks')
  await admin.keyboard.press('Enter')
  await builderOf(admin).getByRole('button', { name: 'Apply' }).click()
  const due = { field: 'due', operator: 'lte', value: '$today(3w)' }
  await expectFiltered(admin, api, 'Relative', [before, due])
  await expect(chipsOf(admin)).toContainText('Due is at or before in 3 weeks')
  await expectAccessible(admin)
})

test('a filter asks for one’s own records and looks inside of objects', async ({ admin, api }) => {
  await installLoans(api, 'Inside')
  await admin.goto('/entities/Inside')
  await admin.getByRole('button', { name: 'Filter' }).click()
  await admin.getByRole('option', { name: 'Assignee' }).click()
  await builderOf(admin).getByRole('combobox', { name: 'Operator' }).click()
  await admin.getByRole('option', { name: 'is', exact: true }).click()
  await builderOf(admin).getByRole('button', { name: 'Me' }).click()
  await builderOf(admin).getByRole('button', { name: 'Condition', exact: true }).click()
  await admin.getByRole('option', { name: 'Profile' }).click()
  await builderOf(admin).getByRole('textbox', { name: 'Path inside Profile' }).fill('address.city')
  await builderOf(admin).getByRole('textbox', { name: 'Value' }).fill('Rome')
  await expectAccessible(admin)
  await admin.keyboard.press('Enter')
  const mine = { field: 'assignee', operator: 'eq', value: '$me' }
  const there = { field: 'profile.address.city', operator: 'eq', value: 'Rome' }
  await expect.poll(() => conditionsOf(admin)).toEqual([mine, there])
  // The key that the API is called with belongs to nobody; the records of the administrator are the first four.
  await expect(admin.getByText('1–2 of 2')).toBeVisible()
  await expect(chipsOf(admin)).toContainText('Assignee is me')
  await expect(chipsOf(admin)).toContainText('Profile › address.city is Rome')

  await chipsOf(admin).getByRole('button', { name: 'Assignee is me', exact: true }).press('Delete')
  await expect(
    chipsOf(admin)
      .getByRole('button', { name: /^Profile/ })
      .first(),
  ).toBeFocused()
  await chipsOf(admin)
    .getByRole('button', { name: /^Profile/ })
    .first()
    .click()
  await builderOf(admin).getByRole('textbox', { name: /^Path/ }).fill('stairs')
  await builderOf(admin).getByRole('combobox', { name: 'Operator' }).click()
  await admin.getByRole('option', { name: 'is less than' }).click()
  await builderOf(admin).getByRole('textbox', { name: 'Value' }).fill('9')
  await admin.keyboard.press('Enter')
  const low = { field: 'profile.stairs', operator: 'lt', value: '9' }
  expect(await expectFiltered(admin, api, 'Inside', [low])).toBe(9)
  await admin.getByRole('button', { name: 'Clear all' }).click()
  await expect(admin.getByText('1–50 of 60')).toBeVisible()
})

test('a wrong condition says why and is corrected in place', async ({ admin, api }) => {
  await installLoans(api, 'Wrong')
  const right = { field: 'kind', operator: 'eq', value: 'poem' }
  const misspelt = { field: 'titel', operator: 'icontains', value: 'Loan 1' }
  const unfit = { field: 'pages', operator: 'lt', value: 'many' }
  const pattern = { field: 'title', operator: 'matches', value: '(' }
  await admin.goto(`/entities/Wrong?${filterOf([right, misspelt, unfit, pattern])}`)
  const wrong = chipsOf(admin).getByRole('button', { name: /^Wrong condition/ })
  await expect(wrong).toHaveCount(3)
  await expect(wrong.nth(0)).toContainText('Unknown field “titel”; did you mean “title”?')
  await expect(wrong.nth(1)).toContainText('“many” is not a whole number')
  await expect(wrong.nth(2)).toContainText('pattern')
  await expect(admin.getByText('3 conditions can’t be used')).toBeVisible()
  await expectAccessible(admin)

  await chipsOf(admin).getByRole('button', { name: 'Use “title”' }).click()
  await admin.getByRole('button', { name: 'Correct them' }).click()
  await expect(builderOf(admin).getByRole('textbox', { name: 'Value' }).nth(1)).toBeFocused()
  await expect(builderOf(admin).getByText('“many” is not a whole number')).toBeVisible()
  await expectAccessible(admin)
  await admin.keyboard.type('18')
  await builderOf(admin).getByRole('textbox', { name: 'Value' }).nth(2).fill('x')
  await builderOf(admin).getByRole('textbox', { name: 'Value' }).nth(1).fill('few')
  await builderOf(admin).getByRole('button', { name: 'Apply' }).click()
  await expect(builderOf(admin).getByText('“few” is not a whole number')).toBeVisible()
  await builderOf(admin).getByRole('textbox', { name: 'Value' }).nth(1).fill('18')
  await builderOf(admin).getByRole('button', { name: 'Remove the condition' }).nth(3).click()
  await builderOf(admin).getByRole('button', { name: 'Apply' }).click()
  const fixed = [right, { ...misspelt, field: 'title' }, { ...unfit, value: '18' }]
  await expectFiltered(admin, api, 'Wrong', fixed)

  await admin.goto(`/entities/Wrong?${filterOf([right, unfit])}`)
  await admin.getByRole('button', { name: 'Remove it' }).click()
  expect(await expectFiltered(admin, api, 'Wrong', [right])).toBe(20)
})

test('conditions are typed and pasted', async ({ admin, api }) => {
  await installLoans(api, 'Typed')
  await admin.goto('/entities/Typed')
  await expect(admin.getByText('1–50 of 60')).toBeVisible()
  const search = admin.getByRole('searchbox', { name: 'Search Title', exact: true })
  await search.fill('07 lo')
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  await search.fill('laon 07')
  await expect(admin.getByText('Showing results for “loan 07”.')).toBeVisible()
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  await admin.getByRole('button', { name: 'Search for “laon 07” instead' }).click()
  await expect(admin.getByText('Nothing matches')).toBeVisible()
  await search.fill('knd:eq:poem pages:lt:31')
  await expect(admin.getByText('Unknown field “knd”; did you mean “kind”?')).toBeVisible()
  await expectAccessible(admin)
  await search.fill('kind:eq:poem pages:lt:31')
  await expect(admin.getByText('filters by')).toContainText(
    'Kind is poem and Pages is less than 31',
  )
  await search.press('Enter')
  const poem = { field: 'kind', operator: 'eq', value: 'poem' }
  const short = { field: 'pages', operator: 'lt', value: '31' }
  expect(await expectFiltered(admin, api, 'Typed', [poem, short])).toBe(10)
  await expect(search).toHaveValue('')

  await admin.getByRole('button', { name: 'Clear all' }).click()
  await search.focus()
  await paste(admin, 'kind:in:poem|atlas,bought:gte:30 days ago')
  const kinds = { field: 'kind', operator: 'in', value: ['poem', 'atlas'] }
  const month = { field: 'bought', operator: 'gte', value: '$now(-30d)' }
  await expectFiltered(admin, api, 'Typed', [kinds, month])

  await admin.getByRole('button', { name: /^Filter/ }).click()
  await builderOf(admin).getByRole('button', { name: 'Condition', exact: true }).click()
  await paste(admin, 'pages:lte:12 & title:starts:"Loan 0"')
  await builderOf(admin).getByRole('button', { name: 'Apply' }).click()
  const pasted = [
    { field: 'pages', operator: 'lte', value: '12' },
    { field: 'title', operator: 'starts', value: 'Loan 0' },
  ]
  await expectFiltered(admin, api, 'Typed', [kinds, month, ...pasted])
})

/** Pastes into what has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)
