import { expect } from 'vitest'
import { integer, text } from './versions'

export const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const MADE = [
  { name: 'at', type: 'datetime', meta: { default: 'now', required: true } },
  { name: 'day', type: 'date', meta: { default: 'now' } },
  { name: 'token', type: 'uuid', meta: { default: 'uuid', required: true, unique: true } },
  text('code', { default: 'uuid' }),
  text('way', { default: 'uuid', enum: ['uuid', 'number'] }),
  text('word', { default: 'now' }),
  integer('n'),
]

export const made = {
  at: expect.stringMatching(INSTANT),
  day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  token: expect.stringMatching(UUID),
  code: expect.stringMatching(UUID),
  way: 'uuid',
  word: 'now',
}
