import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { call } from '@/lib/testing/request'
import { ROUTES } from '../routes'
import { deps, read } from './testing/airports'

describe('the schemas of an entity', () => {
  test('describe its records, and what can be sent', async () => {
    const { schemas } = (await read('ADMIN')).components
    expect(schemas.Airport.required).toContain('CreatedAt')
    expect(schemas.Airport.properties.height).toEqual({ type: 'integer' })
    expect(schemas.Airport.properties.kind.enum).toEqual(['civil', 'military', null])
    expect(schemas['Airport.New'].required).toEqual(['name', 'height'])
    expect(schemas['Airport.New'].properties.CreatedAt).toEqual({ readOnly: true })
    expect(schemas['Airport.New'].properties.height).toMatchObject({ minimum: 100, maximum: 9000 })
    expect(schemas['Airport.Change'].required).toBeUndefined()
    expect(schemas['Airport.Keyed'].required).toEqual(['id'])
    expect(schemas['Airport.New'].additionalProperties).toBe(false)
    expect(schemas['Airport.New'].properties.country.description).toBe(
      'Refers to `code` of Country',
    )
  })

  test('describe the children that are written with a record', async () => {
    const { schemas } = (await read('ADMIN')).components
    const airports = { type: 'array', items: { $ref: '#/components/schemas/Airport.Change' } }
    const created = schemas['Country.New'].properties.AirportByCountry.anyOf
    expect(created).toMatchObject([airports, { properties: { create: airports } }])
    const { properties } = schemas['Country.Change'].properties.AirportByCountry
    expect(properties).toEqual({
      create: airports,
      update: airports,
      delete: { type: 'array', items: {} },
    })
    expect(schemas['Country.Set'].properties.AirportByCountry).toBeUndefined()
  })

  test.each(['', 'a@example.com', null, 'a'])(
    'take %j for an optional text with a format when the server does',
    async (contact) => {
      const { paths, components } = await read('ADMIN')
      const validate = formats(new Ajv2020()).compile(
        components.schemas['Airport.New'].properties.contact,
      )
      const { example } =
        paths['/api/entities/Airport'].post.requestBody.content['application/json']
      const { status } = await call(deps, ROUTES['/api/entities/[entityName]']?.POST as Handler, {
        method: 'POST',
        path: '/api/entities/Airport',
        params: { entityName: 'Airport' },
        as: 'ADMIN',
        body: { ...example, contact },
      })
      expect([validate(contact), status]).toEqual(contact === 'a' ? [false, 400] : [true, 201])
    },
  )
})
