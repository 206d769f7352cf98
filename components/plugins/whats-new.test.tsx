import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { WhatsNew } from './whats-new'

const markupOf = (changes?: string, version: string | null = '1.3.0') =>
  renderToStaticMarkup(<WhatsNew version={version} changes={changes} />)

test('what is new is shown as it is written, never as HTML', () => {
  const markup = markupOf('- <img src=x onerror=alert(1)>\n- [a](javascript:b)')
  expect(markup).toContain('What’s new in 1.3.0')
  expect(markup).toContain('- &lt;img src=x onerror=alert(1)&gt;\n- [a](javascript:b)')
  expect(markup).not.toMatch(/<(img|a)\b/)
  expect(markupOf('more', null)).toContain('What’s new<')
})

test('without a text there is nothing, and a long one folds', () => {
  expect(markupOf()).toBe('')
  expect(markupOf('')).toBe('')
  expect(markupOf('a short one')).not.toContain('Show more')
  expect(markupOf('\n'.repeat(30))).toContain('Show more')
})
