import { type Brand, type Language, signatureOf } from './brand'
import { type MailText, WORDS } from './mail-text'

/**
 * The layout of all mails: a table, as clients that render like a word processor need it, with inline
 * styles for light clients, which a style sheet overrides for dark ones.
 */
export function toHtml(mail: MailText, brand: Brand): string {
  const { heading, paragraphs, secret, action, footer } = mail
  const link = escapeHtml(action.link)
  return page(mail, brand.language, [
    header(brand),
    `<h1 class="strong" style="${HEADING}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => paragraph('text', escapeHtml(text))),
    secret ? paragraph('text', secretOf(secret)) : '',
    `<p style="margin:8px 0 24px"><a class="button" href="${link}" target="_blank" style="${BUTTON}">${escapeHtml(action.label)}</a></p>`,
    paragraph(
      'quiet',
      `${WORDS[brand.language].fallback}<br><a class="link" href="${link}" target="_blank" style="${LINK}">${link}</a>`,
    ),
    paragraph('quiet', escapeHtml(footer)),
    signature(brand),
  ])
}

/** The logo, or the name in its place, which clients also show where they load no images. */
function header(brand: Brand): string {
  const name = escapeHtml(brand.product ?? brand.organisation ?? '')
  if (!name && !brand.logoUrl) return ''
  const logo = `<img src="${escapeHtml(brand.logoUrl ?? '')}" alt="${name}" height="32" border="0" style="${LOGO}">`
  return `<p class="strong" style="${NAME}">${brand.logoUrl ? logo : name}</p>`
}

function signature(brand: Brand): string {
  const lines = [escapeHtml(signatureOf(brand)), help(brand)].filter(Boolean)
  return lines.length > 0 ? paragraph('quiet', lines.join('<br>')) : ''
}

function help({ support, language }: Brand): string {
  if (!support) return ''
  const href = support.startsWith('https:') ? support : `mailto:${support}`
  return `${WORDS[language].help} <a class="link" href="${escapeHtml(href)}" target="_blank" style="${LINK}">${escapeHtml(support)}</a>`
}

const page = ({ subject, preview }: MailText, language: Language, content: string[]) =>
  `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="${PAGE}">
<div style="${HIDDEN}">${escapeHtml(preview)}${FILLER}</div>
<table role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" class="page" style="${PAGE}"><tbody><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" class="card" style="${CARD}"><tbody><tr><td align="left" style="padding:32px">
${content.filter(Boolean).join('\n')}
</td></tr></tbody></table>
</td></tr></tbody></table>
</body>
</html>
`

const paragraph = (kind: 'text' | 'quiet', html: string) =>
  `<p class="${kind}" style="${kind === 'text' ? TEXT : QUIET}">${html}</p>`

const secretOf = ({ label, value }: { label: string; value: string }) =>
  `${escapeHtml(label)} <span class="code" style="${CODE}">${escapeHtml(value)}</span>`

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

const FONT = '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif'
const PAGE = `background-color:#f4f4f5;color:#27272a;font-family:${FONT};margin:0`
const CARD =
  'background-color:#ffffff;border:1px solid #e4e4e7;border-radius:8px;border-collapse:separate;max-width:480px'
const NAME = 'color:#18181b;font-size:15px;font-weight:600;margin:0 0 24px'
const LOGO = 'display:block;height:32px;width:auto;max-width:240px;font-size:15px;line-height:32px'
const HEADING = 'color:#18181b;font-size:20px;font-weight:600;margin:0 0 16px'
const TEXT = 'font-size:15px;line-height:24px;margin:0 0 16px'
const QUIET = 'color:#52525b;font-size:13px;line-height:20px;margin:0 0 12px'
const CODE =
  'background-color:#f4f4f5;border-radius:4px;font-family:ui-monospace,Menlo,Consolas,monospace;padding:4px 8px'
const BUTTON =
  'background-color:#1d4ed8;border-radius:6px;color:#ffffff;display:inline-block;font-size:15px;font-weight:600;padding:12px 20px;text-decoration:none'
const LINK = 'color:#1d4ed8;text-decoration:none;word-break:break-all'
const HIDDEN = 'display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0'
/** Keeps what follows out of the preview that clients show in lists of mails. */
const FILLER = '&#8199;&#65279;&#847; '.repeat(60)
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #09090b !important; }
  .text { color: #d4d4d8 !important; }
  .card { background-color: #18181b !important; border-color: #27272a !important; }
  .strong { color: #fafafa !important; }
  .code { background-color: #27272a !important; color: #fafafa !important; }
  .button { background-color: #60a5fa !important; color: #09090b !important; }
  .quiet { color: #a1a1aa !important; }
  .link { color: #93c5fd !important; }
}`
