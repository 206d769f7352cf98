import { expect, it } from 'vitest'
import { exactJsonText } from '@/lib/values/exact-json'
import { queryOfIds } from './record-key'

it('asks for one record by its key', () => {
  expect(queryOfIds(['code'], ['DE'])).toEqual([{ field: 'code', operator: 'eq', value: 'DE' }])
})

it('asks for several records by their only key at once', () => {
  expect(queryOfIds(['id'], ['1', '2'])).toEqual([
    { field: 'id', operator: 'in', value: ['1', '2'] },
  ])
})

it('takes keys of several parts apart, unicode included', () => {
  const id = Buffer.from(JSON.stringify({ city: 'Köln', no: 7 })).toString('base64url')
  expect(queryOfIds(['city', 'no'], [id])).toEqual([
    { field: 'city', operator: 'eq', value: 'Köln' },
    { field: 'no', operator: 'eq', value: 7 },
  ])
  expect(queryOfIds(['city', 'no'], [id, id])).toMatchObject([{ operator: 'or' }])
})

it('keeps every digit of a key', () => {
  const key = (digits: string) => Buffer.from(`{"a":${digits},"b":1}`).toString('base64url')
  expect(exactJsonText(queryOfIds(['a', 'b'], [key('9007199254740993')]))).toContain(
    '"value":9007199254740993}',
  )
  expect(queryOfIds(['id'], ['9007199254740993'])[0]).toMatchObject({ value: '9007199254740993' })
})
