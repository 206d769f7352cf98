import { CodeBlock } from '@/components/ui/code-block'
import { Tabs } from '@/components/ui/tabs'

type Props = { content: { html: string; text: string } }

/** The content of a mail, as HTML in a frame without scripts, and as text. */
export const MailPreview = ({ content }: Props) => (
  <Tabs
    aria-label="Content"
    tabs={[
      { value: 'html', label: 'HTML', content: <HtmlFrame html={content.html} /> },
      {
        value: 'text',
        label: 'Text',
        content: <CodeBlock label="the text" code={content.text} wrap className="mt-3" />,
      },
    ]}
  />
)

// Links open in a new tab: the frame itself may go nowhere.
const HtmlFrame = ({ html }: { html: string }) => (
  <iframe
    title="The mail as HTML"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    srcDoc={`<base target="_blank">${html}`}
    className="mt-3 h-[32rem] w-full rounded-lg border bg-white"
  />
)
