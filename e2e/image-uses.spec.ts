import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { imagesOf, inFolder, seed, tiles } from './gallery'

type Records = { permissions?: { read: boolean }; records: object[] }

/** Entities with a title and a photo, as a plugin of their own. */
async function install(api: APIRequestContext, entities: Record<string, Records>): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  const names = Object.keys(entities)
  put('engineplugin.json', { id: `test.${names[0]}`, name: names[0], version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const properties = ['title', 'photo'].map((name) => ({ name, type: 'text' }))
  for (const [name, { records, ...rest }] of Object.entries(entities)) {
    put(`EngineSchemas/${name}.json`, { name, properties })
    put(`EngineEntities/${name}.json`, { name, ...rest })
    put(`${name}/__manifest__.json`, { target: name })
    put(`${name}/data.json`, records)
  }
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: 'model.zip', mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

test('what uses an image stands in its panel and in the question before it is deleted', async ({
  admin,
  api,
}) => {
  await seed(api, 'uses', 3)
  const [first, second, unused] = await imagesOf(api, 'uses')
  await install(api, {
    UsesPage: {
      records: [
        { title: 'Welcome', photo: first.secureUri },
        { title: 'Contact', photo: `See ![us](${first.uri}) and ${second.fileId}` },
      ],
    },
    UsesSecret: { permissions: { read: false }, records: [{ photo: first.fileId }] },
  })
  await admin.goto(inFolder('uses', `&image=${first.fileId}`))
  const section = admin.getByRole('region', { name: 'Used in' })
  await expect(section.getByRole('link')).toHaveText(['Welcome', 'Contact'])
  await expect(section).toContainText('1 record that you may not read uses it, too.')
  await expectAccessible(admin)
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const question = admin.getByRole('alertdialog', { name: 'Delete “picture-0”?' })
  await expect(question).toContainText('2 records use the image and are left without:')
  await expect(question.getByRole('link')).toHaveText(['Welcome', 'Contact'])
  await expect(question).toContainText('1 record that you may not read uses it, too.')
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Cancel' }).click()

  await section.getByRole('link', { name: 'Contact' }).click()
  await expect(admin).toHaveURL(/\/entities\/UsesPage\?record=2/)
  await admin.goto(inFolder('uses', `&image=${unused.fileId}`))
  await expect(section).toContainText('No record.')

  await admin.goto(inFolder('uses'))
  await tiles(admin).first().focus()
  await admin.keyboard.press('ControlOrMeta+a')
  await admin.keyboard.press('Delete')
  const all = admin.getByRole('alertdialog', { name: 'Delete 3 images?' })
  await expect(all).toContainText('2 records use the images and are left without:')
  await all.getByRole('button', { name: 'Delete 3' }).click()
  await expect(admin.getByText('3 images deleted')).toBeVisible()
  expect(await imagesOf(api, 'uses')).toEqual([])
})

test('what could not be looked for is said, and the image can be deleted nevertheless', async ({
  admin,
  api,
}) => {
  await seed(api, 'uses-unknown', 1)
  const [{ fileId }] = await imagesOf(api, 'uses-unknown')
  await admin.route('**/uses', (route) =>
    route.fulfill({ status: 429, json: { error: 'Too many searches are running' } }),
  )
  await admin.goto(inFolder('uses-unknown', `&image=${fileId}`))
  const section = admin.getByRole('region', { name: 'Used in' })
  await expect(section.getByRole('alert')).toContainText('Too many searches are running')
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const question = admin.getByRole('alertdialog')
  await expect(question).toContainText(
    'Whether records use the image is not known: Too many searches are running',
  )
  await question.getByRole('button', { name: 'Delete image' }).click()
  await expect(admin.getByText('1 image deleted')).toBeVisible()
  expect(await imagesOf(api, 'uses-unknown')).toEqual([])
})
