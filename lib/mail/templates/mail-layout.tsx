import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Text } from '@react-email/text'

type Props = {
  /** Shown beside the subject in lists of mails. */
  preview: string
  heading: string
  paragraphs: readonly string[]
  /** To be copied exactly. */
  secret?: { label: string; value: string }
  action: { label: string; link: string }
  footer: string
}

/**
 * Layout of all mails. Inline styles are for light clients; the style sheet overrides them for dark
 * ones.
 */
export function MailLayout({ preview, heading, paragraphs, secret, action, footer }: Props) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="page" style={PAGE}>
        <Container className="card" style={CARD}>
          <Heading as="h1" className="strong" style={HEADING}>
            {heading}
          </Heading>
          {paragraphs.map((paragraph) => (
            <Text key={paragraph} className="text" style={TEXT}>
              {paragraph}
            </Text>
          ))}
          {secret && (
            <Text className="text" style={TEXT}>
              {secret.label}{' '}
              <span className="code" style={CODE}>
                {secret.value}
              </span>
            </Text>
          )}
          <Button className="button" href={action.link} style={BUTTON}>
            {action.label}
          </Button>
          <Text className="quiet" style={QUIET}>
            If the button does not work, open this address: <br />
            <Link className="link" href={action.link} style={LINK}>
              {action.link}
            </Link>
          </Text>
          <Text className="quiet" style={QUIET}>
            {footer}
          </Text>
        </Container>
      </Body>
    </Html>
  )
}

const FONT =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const PAGE = { backgroundColor: '#f4f4f5', color: '#27272a', fontFamily: FONT, margin: 0 }
const CARD = {
  backgroundColor: '#ffffff',
  border: '1px solid #e4e4e7',
  borderRadius: 8,
  margin: '32px auto',
  maxWidth: 480,
  padding: 32,
}
const HEADING = { color: '#18181b', fontSize: 20, fontWeight: 600, margin: '0 0 16px' }
const TEXT = { fontSize: 15, lineHeight: '24px', margin: '0 0 16px' }
const CODE = {
  backgroundColor: '#f4f4f5',
  borderRadius: 4,
  fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
  padding: '4px 8px',
}
const BUTTON = {
  backgroundColor: '#1d4ed8',
  borderRadius: 6,
  color: '#ffffff',
  fontSize: 15,
  fontWeight: 600,
  margin: '8px 0 24px',
  padding: '12px 20px',
}
const QUIET = { color: '#52525b', fontSize: 13, lineHeight: '20px', margin: '0 0 12px' }
const LINK = { color: '#1d4ed8', wordBreak: 'break-all' } as const
// `Body` renders a table within it, whose only cell repeats the inline styles of the body.
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: #09090b !important; }
  .text { color: #d4d4d8 !important; }
  .card { background-color: #18181b !important; border-color: #27272a !important; }
  .strong { color: #fafafa !important; }
  .code { background-color: #27272a !important; color: #fafafa !important; }
  .button { background-color: #60a5fa !important; color: #09090b !important; }
  .quiet { color: #a1a1aa !important; }
  .link { color: #93c5fd !important; }
}`
