import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, expectAccessible, test } from './fixtures'

const folder = mkdtempSync(join(tmpdir(), 'engine-signatures-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the authors' command prints. */
const engine = (...args: string[]): string =>
  execFileSync(process.execPath, [resolve('bin/engine.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

/** The public key of a new one with this name. */
const newKey = (name: string): string =>
  JSON.parse(engine('keygen', name, '--no-password', '--json')).publicKey

/** The archive of a version, signed by the key of this name. */
function signed(version: string, key: string | null) {
  const files = {
    'engineplugin.json': { id: 'test.signed', name: 'Signed', version },
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineEntities/SignedThing.json': { name: 'SignedThing' },
  }
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, 'plugin', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(content))
  }
  const name = `signed-${version}.zip`
  engine('pack', 'plugin', '--output', name, ...(key ? ['--sign', `${key}.key`] : []))
  return { name, mimeType: 'application/zip', buffer: readFileSync(join(folder, name)) }
}

test('a publisher is trusted, its plugin says who signed it, and keeps its key', async ({
  admin,
}) => {
  const publicKey = newKey('acme')
  await admin.goto('/settings')
  await admin.getByRole('button', { name: 'Trust a publisher' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Acme of signatures')
  await dialog.getByLabel('Public key').fill('RW')
  await dialog.getByRole('button', { name: 'Trust publisher' }).click()
  await expect(
    dialog.getByText('This is no public key of minisign', { exact: false }),
  ).toBeVisible()
  await dialog.getByLabel('Public key').fill(publicKey)
  await dialog.getByRole('button', { name: 'Trust publisher' }).click()
  await expect(admin.getByRole('button', { name: 'Remove Acme of signatures' })).toBeVisible()
  await expectAccessible(admin)

  await admin.goto('/plugins')
  const archives = admin.getByLabel('Plugin archives')
  await archives.setInputFiles(signed('1.0.0', 'acme'))
  await expect(admin.getByText('Acme of signatures')).toBeVisible()
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByText(/1 file written/)).toBeVisible()
  await admin.goto('/plugins/test.signed')
  await expect(admin.getByText('Acme of signatures')).toBeVisible()

  newKey('other')
  await admin.goto('/plugins')
  for (const [version, key] of [
    ['1.1.0', 'other'],
    ['1.2.0', null],
  ] as const) {
    await archives.setInputFiles(signed(version, key))
    await expect(
      admin.getByText('If the publisher confirms the change', { exact: false }),
    ).toHaveCount(version === '1.1.0' ? 1 : 2)
  }
  await admin.getByRole('button', { name: 'Plan with the other key' }).last().click()
  await expect(admin.getByText('The installed version is signed by another key')).toBeVisible()
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible()
})

test('a publisher is removed', async ({ admin }) => {
  await admin.goto('/settings')
  await admin.getByRole('button', { name: 'Trust a publisher' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Brief publisher')
  await dialog.getByLabel('Public key').fill(newKey('brief'))
  await dialog.getByLabel('Trusted until').fill('2100-01-01')
  await dialog.getByRole('button', { name: 'Trust publisher' }).click()
  await admin.getByRole('button', { name: 'Remove Brief publisher' }).click()
  await admin.getByRole('button', { name: 'Remove publisher' }).click()
  await expect(admin.getByRole('button', { name: 'Remove Brief publisher' })).toHaveCount(0)
})
