import { expect, it } from 'vitest'
import { ownImage, smallImage } from './own-image'

const FILE = '/api/images/files/ab12/red-boot.png'

it.each([FILE, `https://engine.example${FILE}`, `http://localhost:3000${FILE}`])(
  'knows %s, and asks for it here',
  (value) => {
    expect(ownImage(value)).toBe(value)
    expect(smallImage(value, 64)).toBe(`${FILE}?w=64`)
  },
)

it.each([
  'https://stranger.example/cat.png',
  '//stranger.example/api/images/files/x.png',
  `https://stranger.example/?${FILE}`,
  `https://stranger.example\\${FILE}`,
  '/api/images/files/../../users',
  `javascript:${FILE}`,
  'boot.png',
  7,
  null,
])('takes %j for no image of this system', (value) => {
  expect(ownImage(value)).toBeNull()
})
