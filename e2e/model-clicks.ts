import type { Page } from '@playwright/test'
import { dropFile } from './drop-file'
import { expect } from './fixtures'

type Flag = 'Required' | 'Unique' | 'Indexed' | 'Searchable'

/** A field as its dialog asks for it; what is left out stays as it is. */
export type ClickedField = {
  name?: string
  label?: string
  type?: string
  default?: string
  flags?: readonly Flag[]
  choices?: readonly string[]
  refersTo?: string
  computed?: string
}

export type ClickedEntity = {
  plugin: string
  name: string
  /** Its name and whether its values are texts that come with each record; else numbers of the server. */
  key: { name: string; isText: boolean }
  fields: readonly ClickedField[]
  unique?: { fields: readonly string[]; message: string }
}

const planOf = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Plan', exact: true }) })

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Makes an entity as somebody who begins does: name, plugin, key, then field after field. */
export async function makeEntity(page: Page, entity: ClickedEntity): Promise<void> {
  const { plugin, name, key, fields, unique } = entity
  await page.goto('/entities')
  await page.getByRole('link', { name: 'New entity', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('combobox', { name: 'Plugin' }).fill(plugin)
  await page.getByRole('textbox', { name: 'Name of key 1' }).fill(key.name)
  if (key.isText) {
    await choose(page, `Values of ${key.name}`, 'Given with each record')
    await choose(page, `Type of ${key.name}`, 'Text')
  }
  for (const field of fields) await addField(page, field)
  if (unique) await addRule(page, unique)
  await apply(page)
  await expect(page).toHaveURL(`/entities/${name}`, { timeout: 60_000 })
}

export async function addField(page: Page, field: ClickedField): Promise<void> {
  await page.getByRole('button', { name: 'Add field' }).click()
  await fill(page, field)
  await page.getByRole('dialog').getByRole('button', { name: 'Add field' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

export async function editField(page: Page, name: string, field: ClickedField): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
  await fill(page, field)
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function fill(page: Page, field: ClickedField): Promise<void> {
  const dialog = page.getByRole('dialog')
  const text = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
  if (field.name !== undefined) await text('Name').fill(field.name)
  if (field.label !== undefined) await text('Label').fill(field.label)
  if (field.type !== undefined) await choose(page, 'Type', field.type)
  if (field.default !== undefined) await text('Default').fill(field.default)
  for (const flag of field.flags ?? [])
    await dialog.getByRole('checkbox', { name: new RegExp(`^${flag}`) }).click()
  if (field.refersTo !== undefined) await choose(page, 'Refers to', field.refersTo)
  for (const choice of field.choices ?? []) {
    await dialog.getByLabel('Choices').fill(choice)
    await dialog.getByLabel('Choices').press('Enter')
  }
  if (field.computed === undefined) return
  await dialog.locator('summary', { hasText: 'Computed' }).click()
  await text('Expression').fill(field.computed)
}

async function addRule(page: Page, rule: NonNullable<ClickedEntity['unique']>): Promise<void> {
  await page.getByRole('button', { name: 'Add index' }).click()
  const fields = page.getByRole('combobox', { name: 'Fields of index 1' })
  for (const name of rule.fields) {
    await fields.fill(name)
    await fields.press('Enter')
  }
  await choose(page, 'Kind of index 1', 'Unique together')
  await page.getByRole('textbox', { name: 'Message of rule 1' }).fill(rule.message)
}

/** Applies the plan as soon as it stands. */
async function apply(page: Page): Promise<void> {
  const button = planOf(page).getByRole('button', { name: 'Apply' })
  await expect(button).toBeEnabled({ timeout: 60_000 })
  await button.click()
}

/** Opens the editor of an entity, changes it, and applies the plan. */
export async function editEntity(
  page: Page,
  name: string,
  edit: () => Promise<void>,
): Promise<void> {
  await page.goto(`/entities/${name}/definition`)
  await page.getByRole('link', { name: 'Edit definition' }).click()
  await edit()
  await apply(page)
  const changed = page.getByText(`The definition of ${name} was changed`)
  await expect(changed).toBeVisible({ timeout: 60_000 })
}

/** Drops a file of records onto the page of their entity, and imports all of them. */
export async function importRows(page: Page, entity: string, rows: readonly string[]) {
  await page.goto(`/entities/${entity}`)
  await dropFile(page, `${entity}.csv`, `${rows.join('\n')}\n`)
  const dialog = page.getByRole('dialog', { name: `Import into ${entity}` })
  const count = rows.length - 1
  await dialog.getByRole('button', { name: `Import ${count} records`, exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible({ timeout: 60_000 })
}
