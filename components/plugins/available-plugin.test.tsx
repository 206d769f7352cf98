import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AvailablePlugin, actionOf } from './available-plugin'
import type { AvailablePlugin as Available } from './index-queries'

const version = (name: string, more: object = {}) => ({
  ...{ version: name, sha256: '', bytes: 5, keyId: null, publisher: null, changes: null },
  ...{ engine: null, publishedAt: null, isCompatible: true, ...more },
})
const plugin = (more: Partial<Available> = {}): Available => ({
  ...{ id: 'com.example.shop', name: 'Shop', description: null, author: null, license: null },
  ...{ isInstalled: false, installedVersion: null, latest: '1.3.0', hasUpdate: false },
  versions: [version('1.3.0'), version('1.2.0')],
  ...more,
})
const installed = { isInstalled: true, installedVersion: '1.2.0', hasUpdate: true }
const textOf = (one: Available) => {
  const markup = renderToStaticMarkup(<AvailablePlugin plugin={one} />)
  return { markup, text: markup.replace(/<[^>]+>/g, '|') }
}

test.each<[Partial<Available>, string, string]>([
  [{}, '1.2.0', 'Install 1.2.0'],
  [{ versions: [version('1.3.0')] }, '1.3.0', 'Install'],
  [installed, '1.3.0', 'Update to 1.3.0'],
  [installed, '1.2.0', 'Install again'],
  [installed, '1.1.0', 'Install 1.1.0'],
  [{ ...installed, latest: '9'.repeat(60) }, '9'.repeat(60), `Update to ${'9'.repeat(20)}…`],
])('%j at %s: %s', (more, chosen, action) => {
  expect(actionOf(plugin(more), { version: chosen })).toBe(action)
})

test('a version says who signed it, and what is new as it is written', () => {
  const changes = '<img src=x onerror=alert(1)>'
  const more = { publisher: 'Acme', keyId: 'A'.repeat(16), changes }
  const { markup, text } = textOf(plugin({ versions: [version('1.3.0', more)] }))
  expect(text).toContain('Signed by Acme')
  expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(markup).not.toContain('<img')
  const unknown = version('1.3.0', { keyId: 'A'.repeat(16) })
  expect(textOf(plugin({ versions: [unknown] })).text).toContain('unknown key, AAAA')
  expect(textOf(plugin()).text).toContain('Not signed')
})

test('a version for other engines is not installed', () => {
  const versions = [version('1.3.0', { engine: '>=900', isCompatible: false })]
  const { markup, text } = textOf(plugin({ latest: null, versions }))
  expect(text).toContain('made for the engine &gt;=900')
  expect(markup).toMatch(/<button[^>]*disabled=""/)
  expect(textOf(plugin()).markup).not.toContain('disabled=""')
})
