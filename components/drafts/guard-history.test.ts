// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest'
import { guardHistory } from './leave-guard'

const heard: string[] = []
const retries: (() => void)[] = []
let isBlocked = false

beforeAll(() => {
  history.replaceState({ router: true }, '', '/a')
  // A router that began to listen before the guard.
  window.addEventListener('popstate', () => heard.push(location.pathname))
  guardHistory({ isBlocked: () => isBlocked, onBlocked: (retry) => retries.push(retry) })
  for (const path of ['/b', '/c', '/d']) history.pushState({ router: true }, '', path)
})

const path = () => expect.poll(() => location.pathname)

test('Back is undone before the router hears of it, and done after all', async () => {
  isBlocked = true
  history.back()
  await expect.poll(() => retries.length).toBe(1)
  await path().toBe('/d')
  expect(heard).toEqual([])
  isBlocked = false
  retries[0]?.()
  await path().toBe('/c')
  await expect.poll(() => heard).toEqual(['/c'])
})

test('Forward and several steps at once are undone by as many', async () => {
  isBlocked = true
  history.forward()
  await expect.poll(() => retries.length).toBe(2)
  await path().toBe('/c')
  history.go(-2)
  await expect.poll(() => retries.length).toBe(3)
  await path().toBe('/c')
  expect(heard).toEqual(['/c'])
  isBlocked = false
  retries[2]?.()
  await path().toBe('/a')
})

test('the state of the router stays as it was', () => {
  history.pushState({ router: true, tree: [1] }, '', '/e')
  expect(history.state).toMatchObject({ router: true, tree: [1] })
  history.replaceState({ router: true, tree: [2] }, '', '/f')
  expect(history.state).toMatchObject({ router: true, tree: [2] })
})

test('an entry without a place, made by a link to a part of the page, is left alone', async () => {
  isBlocked = true
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
  expect(heard.at(-1)).toBe('/f')
  expect(retries).toHaveLength(3)
})
