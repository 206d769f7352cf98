import { archiveOf } from '../lib/testing/archive'
import { newKey, signedFiles } from '../lib/testing/signed-archive'
import { expect, expectAccessible, test } from './fixtures'

const acme = newKey()
const other = newKey()

const signed = async (version: string, key: ReturnType<typeof newKey> | null) => {
  const files = {
    'engineplugin.json': { id: 'test.signed', name: 'Signed', version },
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineEntities/SignedThing.json': { name: 'SignedThing' },
  }
  const buffer = Buffer.from(await archiveOf(key ? await signedFiles(files, key) : files))
  return { name: `signed-${version}.zip`, mimeType: 'application/zip', buffer }
}

test('a publisher is trusted, its plugin says who signed it, and keeps its key', async ({
  admin,
}) => {
  await admin.goto('/settings')
  await admin.getByRole('button', { name: 'Trust a publisher' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Acme of signatures')
  await dialog.getByLabel('Public key').fill('RW')
  await dialog.getByRole('button', { name: 'Trust publisher' }).click()
  await expect(
    dialog.getByText('This is no public key of minisign', { exact: false }),
  ).toBeVisible()
  await dialog.getByLabel('Public key').fill(acme.publicKey)
  await dialog.getByRole('button', { name: 'Trust publisher' }).click()
  await expect(admin.getByRole('button', { name: 'Remove Acme of signatures' })).toBeVisible()
  await expectAccessible(admin)

  await admin.goto('/plugins')
  const archives = admin.getByLabel('Plugin archives')
  await archives.setInputFiles(await signed('1.0.0', acme))
  await expect(admin.getByText('Acme of signatures')).toBeVisible()
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByText(/1 file written/)).toBeVisible()
  await admin.goto('/plugins/test.signed')
  await expect(admin.getByText('Acme of signatures')).toBeVisible()

  await admin.goto('/plugins')
  for (const [version, key] of [
    ['1.1.0', other],
    ['1.2.0', null],
  ] as const) {
    await archives.setInputFiles(await signed(version, key))
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
  await dialog.getByLabel('Public key').fill(newKey().publicKey)
  await dialog.getByLabel('Trusted until').fill('2100-01-01')
  await dialog.getByRole('button', { name: 'Trust publisher' }).click()
  await admin.getByRole('button', { name: 'Remove Brief publisher' }).click()
  await admin.getByRole('button', { name: 'Remove publisher' }).click()
  await expect(admin.getByRole('button', { name: 'Remove Brief publisher' })).toHaveCount(0)
})
