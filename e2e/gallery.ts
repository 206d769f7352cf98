import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { makeImage } from '../lib/testing/images'

export type Sent = { name: string; mimeType: string; buffer: Buffer }

export const png = async (name: string, width = 40, height = 30): Promise<Sent> => ({
  name,
  mimeType: 'image/png',
  buffer: await makeImage('png', { width, height }),
})

/** Every image of a folder on the server. */
export async function imagesOf(api: APIRequestContext, folder: string) {
  const response = await api.get(`/api/images?filter=folder:eq:${folder}&sort=publicId&size=100`)
  expect(response.status()).toBe(200)
  return (await response.json()).data
}

/** `count` images named `picture-0`, …, uploaded through the API. */
export async function seed(api: APIRequestContext, namespace: string, count: number) {
  for (let index = 0; index < count; index++) {
    const options = JSON.stringify({ tags: [index % 2 ? 'odd' : 'even'] })
    const file = await png(`${index}.png`, 40 + index)
    const multipart = { namespace, assetId: `picture-${index}`, options, file }
    expect((await api.post('/api/images/upload', { multipart })).status()).toBe(201)
  }
}

/** The pager has options of its own. */
export const tiles = (page: Page, about: { name?: RegExp; selected?: boolean } = {}) =>
  page.getByRole('listbox', { name: 'Images' }).getByRole('option', about)

export const inFolder = (folder: string, more = '') =>
  `/images?sort=name:asc&filter=${encodeURIComponent(
    JSON.stringify([{ field: 'folder', operator: 'eq', value: folder }]),
  )}${more}`
