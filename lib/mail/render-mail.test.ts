import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { previewMails } from './preview-mails'
import { renderMail } from './render-mail'

const link = 'https://engine.example.com/activate?token=abc-DEF_123'
const email = 'ann@example.com'

const PLAIN = parseEnv({})
const BRANDED = parseEnv({
  MAIL_BRAND_PRODUCT: 'Data & Co',
  MAIL_BRAND_ORGANISATION: 'Größe <GmbH>',
  MAIL_BRAND_LOGO_URL: 'https://example.com/logo.png?a=1&b=2',
  MAIL_BRAND_SUPPORT: 'help@example.com',
  MAIL_BRAND_LANGUAGE: 'de',
})

describe.each([
  { template: 'test', props: { email, link } },
  { template: 'activation', props: { email, link } },
  { template: 'activation-with-password', props: { email, link, password: 'aB3dE-fG5hJ' } },
  { template: 'reset-password', props: { email, link } },
  { template: 'registration', props: { email, link } },
  { template: 'account-exists', props: { email, link, resetLink: link } },
] as const)('the mail $template', (content) => {
  test.each([PLAIN, BRANDED])(
    'holds its link in both forms, and suits dark clients',
    (settings) => {
      const { subject, html, text } = renderMail(content, settings)
      expect(subject).not.toBe('')
      expect(html).toContain(`href="${link}"`)
      expect(html).toContain('prefers-color-scheme: dark')
      expect(text).toContain(link)
      expect(text).toContain(email)
      expect(text.replace('<GmbH>', '')).not.toContain('<')
    },
  )
})

test('a password stands in the mail as it must be typed', () => {
  const props = { email, link, password: 'aB3dE-fG5hJ' }
  const { html, text } = renderMail({ template: 'activation-with-password', props }, PLAIN)
  expect(html).toContain('>aB3dE-fG5hJ<')
  expect(text).toContain('aB3dE-fG5hJ')
})

test('what people type cannot become markup', () => {
  const props = { email: '"<b>x</b>"@example.com', link }
  const { html } = renderMail({ template: 'activation', props }, PLAIN)
  expect(html).not.toContain('<b>x</b>')
})

test('a comment is text in its mail, line by line', () => {
  const props = { email, by: 'bob@example.com', entity: 'Order', text: '<b>a</b>\n\nb', link }
  const { html } = renderMail({ template: 'mention', props }, PLAIN)
  expect(html).toMatch(/>&lt;b&gt;a&lt;\/b&gt;<\/p>\s*<p[^>]*>b<\/p>/)
  expect(html).not.toContain('<b>')
})

test('a mail names nobody until the settings do', () => {
  const { subject, html, text } = renderMail(
    { template: 'activation', props: { email, link } },
    PLAIN,
  )
  expect(subject).toBe('Activate your account')
  expect(html).toContain('<html lang="en"')
  expect(html).not.toContain('<img')
  expect(text.endsWith('If you do not expect this mail, ignore it.')).toBe(true)
})

test('a mail has the names, the logo and the address for help of the settings', () => {
  const { subject, html, text } = renderMail(
    { template: 'activation', props: { email, link } },
    BRANDED,
  )
  expect(subject).toBe('Aktivieren Sie Ihr Konto – Data & Co')
  expect(html).toContain('<html lang="de"')
  expect(html).toContain('src="https://example.com/logo.png?a=1&amp;b=2" alt="Data &amp; Co"')
  expect(html).toContain('Data &amp; Co · Größe &lt;GmbH&gt;')
  expect(html).toContain('Hilfe: <a class="link" href="mailto:help@example.com"')
  expect(html).toContain('Wenn der Knopf nicht funktioniert')
  expect(text).toContain(`Für ${email} wurde ein Konto angelegt.`)
  expect(text.endsWith('Data & Co · Größe <GmbH>\nHilfe: help@example.com')).toBe(true)
})

test('without a logo the name stands in its place, and help may be a page', () => {
  const settings = parseEnv({
    MAIL_BRAND_ORGANISATION: 'Example Inc.',
    MAIL_BRAND_SUPPORT: 'https://example.com/help',
  })
  const { subject, html } = renderMail({ template: 'test', props: { email, link } }, settings)
  expect(subject).toBe('Test mail')
  expect(html).toMatch(/<p class="strong"[^>]*>Example Inc\.<\/p>/)
  expect(html).toContain('href="https://example.com/help"')
})

test('the preview has every kind of mail once, each in its language', () => {
  const english = previewMails(PLAIN)
  const german = previewMails(BRANDED)
  expect(english.map(({ name }) => name)).toEqual(german.map(({ name }) => name))
  expect(new Set(english.map(({ subject }) => subject)).size).toBe(9)
  for (const [n, { text }] of english.entries()) {
    expect(text).toContain('http://localhost:3000/')
    expect(german[n]?.text).not.toContain(text.split('\n\n')[1])
  }
})
