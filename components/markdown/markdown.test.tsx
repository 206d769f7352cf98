import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import Markdown from './markdown'

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

describe('Markdown', () => {
  it('shows lists, tables and emphasis', () => {
    const page = html('- **one**\n\n| a | b |\n|---|---|\n| 1 | 2 |')
    expect(page).toContain('<strong>one</strong>')
    expect(page).toContain('<td>2</td>')
  })

  it('runs no HTML of the text', () => {
    const page = html(
      '<script>alert(1)</script>\n\n<b onclick="x()">bold</b> <img src=x onerror=y()>',
    )
    expect(page).not.toMatch(/<(script|b|img)\b/)
    expect(page).toContain('&lt;b onclick=')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'JaVaScRiPt:alert(1)'])(
    'makes no link of %s',
    (address) => {
      expect(html(`[here](${address}) <${address}>`)).not.toContain('href')
    },
  )

  it('gives links no way back to this page', () => {
    expect(html('[here](https://example.com)')).toMatch(
      /href="https:\/\/example.com" target="_blank" rel="noreferrer noopener nofollow"/,
    )
  })

  it('loads no image, but links to it', () => {
    const page = html('![A cat](https://stranger.example/cat.png) ![](//stranger.example/b.png)')
    expect(page).not.toContain('<img')
    expect(page).toContain('href="https://stranger.example/cat.png"')
    expect(page).toContain('A cat')
  })
})
