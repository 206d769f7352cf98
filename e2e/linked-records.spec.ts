import { readFile } from 'node:fs/promises'
import JSZip from 'jszip'
import { filmArchive, foreignFilms } from './films'
import { expect, expectAccessible, test } from './fixtures'

test('a film database of others is installed, browsed from both sides, changed and exported again', async ({
  admin,
}) => {
  const source = await foreignFilms()
  const titled = (title: string) => source.films.find((film) => film.title === title)?.id
  const hope = titled('A New Hope')
  const inHope = source.roles.filter(({ film }) => film === hope)

  await test.step('installed by its archive', async () => {
    await admin.goto('/plugins')
    const buffer = await filmArchive('Saga', source)
    const file = { name: 'saga-films.zip', mimeType: 'application/zip', buffer }
    await admin.getByLabel('Plugin archives').setInputFiles(file)
    const card = admin.getByRole('listitem').filter({ hasText: 'saga-films' })
    await card.getByRole('button', { name: 'Install', exact: true }).click()
    await expect(card.getByText('Installed', { exact: true })).toBeVisible()
  })

  const panel = admin.getByRole('dialog')
  const characters = panel.getByRole('region', { name: 'Characters' })
  const chips = characters.getByRole('list', { name: 'Characters' }).getByRole('listitem')
  await test.step('a film lists its characters, who list their films', async () => {
    await admin.goto(`/entities/SagaFilm?record=${hope}`)
    await expect(chips).toHaveCount(inHope.length)
    await expectAccessible(admin)
    await characters.getByRole('button', { name: 'Darth Vader', exact: true }).click()
    const films = panel.getByRole('region', { name: 'Films' })
    const vader = source.people.find(({ name }) => name === 'Darth Vader')?.id
    const count = source.roles.filter(({ person }) => person === vader).length
    await expect(films.getByRole('list', { name: 'Films' }).getByRole('listitem')).toHaveCount(
      count,
    )
    await expect(films.getByRole('button', { name: /^(Add|Remove)/ })).toHaveCount(0)
    await panel.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('one is removed, comes back by Undo with all of its link, and is added by its name', async () => {
    const remove = characters.getByRole('button', { name: 'Remove Yoda' })
    await expect(remove).toHaveCount(0)
    await characters.getByRole('button', { name: 'Remove Darth Vader' }).click()
    await expect(chips).toHaveCount(inHope.length - 1)
    await admin.getByRole('button', { name: 'Undo' }).click()
    await expect(chips).toHaveCount(inHope.length)
    await characters.getByRole('button', { name: 'Add to Characters' }).click()
    await characters.getByRole('combobox', { name: 'Add to Characters' }).fill('yod')
    await admin.getByRole('option', { name: /Yoda/ }).click()
    await expect(chips).toHaveCount(inHope.length + 1)
    await remove.click()
    await expect(chips).toHaveCount(inHope.length)
  })

  await test.step('people are found by their films', async () => {
    const some = { field: 'films', operator: 'some', filters: [] }
    const test = { field: 'director', operator: 'eq', value: 'Irvin Kershner' }
    const query = JSON.stringify([{ ...some, filters: [test] }])
    const [film] = source.films.filter(({ director }) => director === test.value)
    const count = source.roles.filter((role) => role.film === film?.id).length
    await admin.goto(`/entities/SagaPerson?filter=${encodeURIComponent(query)}`)
    await expect(admin.getByText(`1–${count} of ${count}`)).toBeVisible()
  })

  await test.step('the export has every film, person and role', async () => {
    await admin.goto('/plugins/test.saga')
    await admin.getByRole('button', { name: 'Export', exact: true }).click()
    const downloading = admin.waitForEvent('download')
    await admin.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
    const zip = await JSZip.loadAsync(await readFile(await (await downloading).path()))
    for (const [name, rows] of [
      ['Film', source.films],
      ['Person', source.people],
      ['Role', source.roles],
    ] as const) {
      const fields = Object.keys(rows[0] ?? {})
      const exported = await recordsIn(zip, `Saga${name}`)
      expect(linesOf(exported, fields)).toEqual(linesOf(rows, fields))
    }
  })
})

type Row = Record<string, unknown>

async function recordsIn(zip: JSZip, entity: string): Promise<Row[]> {
  const names = Object.keys(zip.files).filter(
    (name) => name.startsWith(`${entity}/`) && !name.includes('__') && name.endsWith('.json'),
  )
  const texts = await Promise.all(names.map((name) => zip.file(name)?.async('text')))
  return texts.flatMap((text) => JSON.parse(text ?? '[]'))
}

const linesOf = (rows: readonly Row[], fields: readonly string[]) =>
  rows.map((row) => JSON.stringify(fields.map((name) => row[name] ?? null))).sort()
