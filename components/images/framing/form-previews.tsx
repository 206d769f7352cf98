import { cn } from '@/components/ui/cn'
import type { Image } from '@/lib/images/contract'
import { ASPECTS, type Aspect, type Framing, regionOf } from '@/lib/images/framing-contract'
import { sourceOf } from '../image-source'
import { checkerClass } from '../picture'

type Props = { image: Image; framing: Framing }

/** What smaller forms of an image would show. */
export const FormPreviews = ({ image, framing }: Props) => (
  <ul aria-label="Smaller forms" className="flex flex-wrap items-end gap-3">
    {([null, ...ASPECTS] as const).map((aspect) => (
      <li key={aspect} className="grid justify-items-center gap-1">
        <Form image={image} framing={framing} aspect={aspect} />
        <span className="text-xs text-muted-foreground">{aspect ?? 'As cropped'}</span>
      </li>
    ))}
  </ul>
)

/** Pixels. */
const LONGER_SIDE = 88

function Form({ image, framing, aspect }: Props & { aspect: Aspect | null }) {
  const { width, height, secureUri } = image
  const region = regionOf({ width, height, ...framing }, aspect) ?? {
    left: 0,
    top: 0,
    width,
    height,
  }
  const scale = LONGER_SIDE / Math.max(region.width, region.height)
  return (
    <span
      className={cn('relative block overflow-hidden rounded border', checkerClass)}
      style={{
        width: Math.max(2, region.width * scale),
        height: Math.max(2, region.height * scale),
      }}
    >
      {/* biome-ignore lint/performance/noImgElement: the original, of which a part is shown */}
      <img
        src={sourceOf(secureUri)}
        alt=""
        draggable={false}
        className="absolute max-w-none"
        style={{
          width: width * scale,
          height: height * scale,
          left: -region.left * scale,
          top: -region.top * scale,
        }}
      />
    </span>
  )
}
