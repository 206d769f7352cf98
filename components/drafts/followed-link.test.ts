// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { followedLink } from './leave-guard'

beforeEach(() => {
  window.location.href = 'http://engine.test/users/new?a=1'
})

function clicked(html: string, options: MouseEventInit = {}): string | null {
  document.body.innerHTML = html
  let found: string | null = null
  const listen = (event: MouseEvent) => {
    found = followedLink(event)
    event.preventDefault()
  }
  document.addEventListener('click', listen, { capture: true, once: true })
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...options })
  document.querySelector('b, a')?.dispatchEvent(event)
  return found
}

test('a link within the console is followed, from any element in it', () => {
  expect(clicked('<a href="/users?q=x#top"><b>Users</b></a>')).toBe('/users?q=x#top')
})

test.each([
  ['a part of the page', '<a href="/users/new?a=1#content">x</a>'],
  ['a file', '<a href="/mail" download>x</a>'],
  ['the API', '<a href="/api/openapi.json">x</a>'],
  ['another tab', '<a href="/mail" target="_blank">x</a>'],
  ['another site', '<a href="https://example.com/">x</a>'],
  ['no link', '<b>x</b>'],
])('%s is not', (_, html) => {
  expect(clicked(html)).toBeNull()
})

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])(
  'a click that opens a tab is not: %o',
  (options) => {
    expect(clicked('<a href="/users">x</a>', options)).toBeNull()
  },
)
