import type { ReactNode } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { baseOf, KEY_VARIABLE } from './curl'
import { type ApiDocument, resolve, type SecurityScheme } from './document'
import { Inline, RichText } from './rich-text'

type Props = { document: ApiDocument; signedIn: boolean }

/** What applies to every operation: the base address, the credential, the format of responses. */
export function Overview({ document, signedIn }: Props) {
  const base = baseOf(document, window.location.origin)
  return (
    <article
      aria-labelledby="section-start"
      className="grid min-w-0 max-w-3xl grid-cols-1 content-start gap-6"
    >
      <header className="grid gap-2">
        <Heading id="start">Getting started</Heading>
        {document.info.description && <RichText text={document.info.description} />}
        {!signedIn && (
          <p>
            <Link href="/login?next=/api-docs" className="text-primary underline">
              Sign in
            </Link>{' '}
            to see the operations on each installed entity.
          </p>
        )}
      </header>
      <Section id="address" title="Address">
        <CodeBlock label="base address" code={base} />
      </Section>
      <Section id="authentication" title="Authentication">
        <p>
          Administrators create keys under{' '}
          <Link href="/api-keys" className="text-primary underline">
            API keys
          </Link>
          . A key is shown once. Send it in any of these ways:
        </p>
        <Schemes document={document} />
        <p>
          The examples read the key from the environment, so that a command line can be run as it is
          copied:
        </p>
        <CodeBlock label="use of the key" code={keyExample(base)} />
      </Section>
      <Section id="timing" title="How long a request takes">
        <p>
          Each response says in its header{' '}
          <code className="font-mono text-[13px]">Server-Timing</code> how many milliseconds the
          server needed to check the credential (<code className="font-mono text-[13px]">auth</code>
          ), to read the request (<code className="font-mono text-[13px]">parse</code>), for the
          database (<code className="font-mono text-[13px]">db</code>) and in all (
          <code className="font-mono text-[13px]">total</code>). curl shows it like this:
        </p>
        <CodeBlock label="how long a request takes" code={timingExample(base)} />
      </Section>
    </article>
  )
}

const timingExample = (base: string) =>
  [
    `curl -s -o /dev/null -D - '${base}/api/users/me' \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" | grep -i server-timing`,
    'server-timing: auth;dur=0.3, db;dur=1.2, total;dur=3.0',
  ].join('\n')

const keyExample = (base: string) =>
  [
    `export ${KEY_VARIABLE}='your key'`,
    `curl '${base}/api/users/me' \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}"`,
  ].join('\n')

type SectionProps = { id: string; title: string; children: ReactNode }

const Section = ({ id, title, children }: SectionProps) => (
  <section className="grid min-w-0 grid-cols-1 gap-2">
    <Heading id={id}>{title}</Heading>
    {children}
  </section>
)

/** Takes the focus when the page's address names it. */
const Heading = ({ id, children }: { id: string; children: ReactNode }) => (
  <h2
    id={`section-${id}`}
    tabIndex={-1}
    className="scroll-mt-16 text-base font-semibold tracking-tight outline-none"
  >
    {children}
  </h2>
)

function Schemes({ document }: { document: ApiDocument }) {
  const schemes = Object.entries(document.components?.securitySchemes ?? {})
  return (
    <Facts
      facts={schemes.map(([name, found]) => {
        const scheme = resolve(document, found)
        return scheme && { label: titleOf(scheme, name), value: <SchemeText scheme={scheme} /> }
      })}
    />
  )
}

function titleOf({ type, scheme, name, in: place }: SecurityScheme, fallback: string): string {
  if (type === 'http' && scheme === 'bearer') return 'Authorization'
  return place === 'cookie' ? 'Cookie' : (name ?? fallback)
}

function SchemeText({ scheme: { name, in: place, description = '' } }: { scheme: SecurityScheme }) {
  if (place === 'header') return <Inline text={`${description}: \`${name}: <key>\``} />
  return (
    <>
      <Inline text={description} />
      {name && (
        <>
          {' '}
          (<code className="font-mono text-[13px] break-all">{name}</code>)
        </>
      )}
    </>
  )
}
