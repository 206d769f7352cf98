import { describe, expect, it } from 'vitest'
import type { Condition } from '@/components/data-table/filter/condition'
import { describe as describeCondition } from '@/components/data-table/filter/field'
import { nextIndex } from '@/components/data-table/list-box'
import { assetIdOf, thumbnailOf } from './image-address'
import {
  facetValue,
  IMAGE_FIELDS,
  imagesSearch,
  showsWithoutAlt,
  withFacet,
  withoutAlt,
} from './images-search'
import { sourceOf } from './source-of'

describe('moving in a grid of 4 columns and 10 images', () => {
  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 9, 9],
    ['ArrowLeft', 4, 3],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 7, 9],
    ['ArrowDown', 8, 8],
    ['ArrowUp', 5, 1],
    ['ArrowUp', 2, 2],
    ['Home', 7, 0],
    ['End', 2, 9],
    ['PageDown', 1, 9],
    ['Enter', 3, null],
  ] as const)('%s leads from %i to %s', (key, index, next) => {
    expect(nextIndex(key, index, 4, 10)).toBe(next)
  })
})

describe('narrowing', () => {
  const wide = { field: 'width', operator: 'gt', value: 100 }
  it('replaces the value of its own field and keeps every other condition', () => {
    const first = withFacet([wide], 'tags', 'red')
    expect(first).toEqual([wide, { field: 'tags', operator: 'contains', value: 'red' }])
    const second = withFacet(first, 'tags', 'blue')
    expect(facetValue(second, 'tags')).toBe('blue')
    expect(withFacet(second, 'tags', null)).toEqual([wide])
  })
  it('to a folder means those below it, too, and a single folder is understood', () => {
    const filter = withFacet([wide], 'folder', 'shop')
    expect(filter[1]).toEqual({
      operator: 'or',
      filters: [
        { field: 'folder', operator: 'eq', value: 'shop' },
        { field: 'folder', operator: 'starts', value: 'shop/' },
      ],
    })
    expect(facetValue(filter, 'folder')).toBe('shop')
    expect(describeCondition(filter[1] as Condition, IMAGE_FIELDS)).toBe(
      'Folder is shop or below it',
    )
    const single = [{ field: 'folder', operator: 'eq', value: 'press' }]
    expect(facetValue(single, 'folder')).toBe('press')
    expect(facetValue(withFacet(single, 'folder', 'shop'), 'folder')).toBe('shop')
    expect(withFacet(filter, 'folder', null)).toEqual([wide])
  })
  it('to images without alternative text is turned on and off', () => {
    const filter = withoutAlt([wide], true)
    expect(filter).toEqual([wide, { field: 'context.alt', operator: 'isnull' }])
    expect(showsWithoutAlt(filter)).toBe(true)
    expect(withoutAlt(filter, false)).toEqual([wide])
    expect(showsWithoutAlt([wide])).toBe(false)
  })
  it('can mean the images without a folder', () => {
    expect(facetValue(withFacet([], 'folder', ''), 'folder')).toBe('')
    expect(facetValue([], 'folder')).toBeNull()
  })
})

describe('the request of the page', () => {
  it('searches names and puts the newest first', () => {
    const params = { page: 1, size: 50, sort: [], filter: [], cols: null, q: 'boot' }
    expect(imagesSearch(params)).toMatchObject({
      sort: [{ field: 'createdAt', direction: 'desc' }],
      query: [{ operator: 'or', filters: [{ field: 'name' }, { field: 'publicId' }] }],
    })
  })
})

describe('addresses', () => {
  const local = 'https://app.example.com/api/images/files/shop/boot.0a.png'
  it('of our own files are asked for where the page came from', () => {
    expect(sourceOf(local)).toBe('/api/images/files/shop/boot.0a.png')
    expect(thumbnailOf({ secureUri: local }, 256)).toBe('/api/images/files/shop/boot.0a.png?w=256')
  })
  it('of a provider stay as they are', () => {
    const uri = 'https://res.cloudinary.com/demo/image/upload/v1/boot.png'
    expect(sourceOf(uri)).toBe(uri)
  })
  it('end in the asset id, dots and all', () => {
    expect(assetIdOf({ publicId: 'a/b/c.d', folder: 'a/b' })).toBe('c.d')
    expect(assetIdOf({ publicId: 'plain', folder: '' })).toBe('plain')
  })
})
