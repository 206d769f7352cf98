import { beforeEach, describe, expect, test } from 'vitest'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { imageApi, PROVIDERS } from '../testing/image-api'
import { POST } from './route'

const deps = currentDeps()
const api = imageApi()
const { send, listed, claims } = api

const PNG = await makeImage('png', { width: 4, height: 3 })
type Fields = Record<string, string>

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('a refused upload', () => {
    const notNamed = (fields: Fields, ...wrong: string[]) => [fields, wrong] as const
    test.each([
      ['a way up', notNamed({ namespace: '../../etc' }, 'namespace')],
      ['a way up inside', notNamed({ namespace: 'a/../b' }, 'namespace')],
      ['a way up as a name', notNamed({ assetId: '..' }, 'assetId')],
      ['an empty part', notNamed({ namespace: 'a//b' }, 'namespace')],
      ['a name too long', notNamed({ assetId: 'x'.repeat(181) }, 'assetId')],
      ['both of two names', notNamed({ namespace: 'a', folder: 'b' }, 'folder')],
      ['an unknown field', notNamed({ nmespace: 'a' }, 'nmespace')],
      ['broken JSON', notNamed({ options: '{"tags":' }, 'options')],
      ['options that are a list', notNamed({ options: '[]' }, 'options')],
      ['an unknown option', notNamed({ options: '{"tag":["a"]}' }, 'options')],
      ['tags that are a text', notNamed({ options: '{"tags":"a"}' }, 'options.tags')],
      ['a tag that is a number', notNamed({ options: '{"tags":["a",1]}' }, 'options.tags.1')],
      ['a tag with a comma', notNamed({ options: '{"tags":["a,b"]}' }, 'options.tags.0')],
      ['context that is a list', notNamed({ options: '{"context":["a"]}' }, 'options.context')],
      ['nested context', notNamed({ options: '{"context":{"a":{}}}' }, 'options.context.a')],
      [
        'a key that objects have',
        notNamed({ options: '{"context":{"__proto__":"a","b":"c"}}' }, 'options.context.__proto__'),
      ],
      [
        'several faults',
        notNamed(
          { namespace: '..', assetId: '..', options: '1' },
          'namespace',
          'assetId',
          'options',
        ),
      ],
    ])('for %s is 400 and names every field', async (_, [fields, wrong]) => {
      const { status, body } = await send(PNG, fields)
      expect(status).toBe(400)
      expect(body.validations.map(({ field }: { field: string }) => field)).toEqual(wrong)
      expect(await isUntouched()).toBe(true)
    })

    test.each([
      ['{"tag":["a"],"x":1}', 'Unknown: tag, x; known are tags, context'],
      ['{"context":{"a b":"c"}}', 'A key has 1 to 100 letters, digits, "_" or "-"'],
      ['{"context":{"__proto__":"a"}}', 'A key must not be "__proto__"'],
      ['{"context":["a"]}', 'Must be an object of texts'],
      ['[]', 'Must be a JSON object'],
    ])('for options %s says what is wrong with them', async (options, error) => {
      expect((await send(PNG, { options })).body.validations).toMatchObject([{ error }])
    })

    test.each([
      ['no file', null, 400],
      ['an empty file', '', 400],
      ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 415],
      ['a page', '<!doctype html>', 415],
      ['half a picture', PNG.subarray(0, 60), 400],
    ])('with %s is %3$i', async (_, file, expected) => {
      expect(await send(file)).toMatchObject({ status: expected })
      expect(await isUntouched()).toBe(true)
    })

    test('that is no form is 415', async () => {
      const path = '/api/images/upload'
      const response = await call(deps, POST, { method: 'POST', path, body: {}, as: 'EDITOR' })
      expect(response.status).toBe(415)
    })

    test('over the limits of bytes or pixels is 413', async () => {
      deps.settings.MAX_IMAGE_BYTES = PNG.length - 1
      expect(await send(PNG)).toMatchObject({ status: 413 })
      deps.settings.MAX_IMAGE_BYTES = PNG.length
      deps.settings.MAX_IMAGE_PIXELS = 11
      expect(await send(PNG)).toMatchObject({ status: 413 })
      deps.settings.MAX_IMAGE_PIXELS = 12
      expect(await send(PNG)).toMatchObject({ status: 201 })
    })

    test('by callers without the right is 401 or 403', async () => {
      expect(await send(PNG, {}, '')).toMatchObject({ status: 401 })
      expect(await send(PNG, {}, 'VIEWER')).toMatchObject({ status: 403 })
      expect(await isUntouched()).toBe(true)
    })

    const isUntouched = async () =>
      (await listed()).body.pagination.total === 0 &&
      (await claims()).length === 0 &&
      api.fake.requests.length === 0
  })
})
