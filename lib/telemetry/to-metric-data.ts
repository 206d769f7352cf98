import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { Sample, Samples } from '@/lib/metrics/read-metrics'

type Span = { startTime: Date; endTime: Date }

/** Metrics of Prometheus as OpenTelemetry has them: counters become sums, and buckets of histograms count by themselves. */
export function toMetricData(found: Samples[], { startTime, endTime }: Span): MetricData[] {
  const times = { startTime: toTime(startTime), endTime: toTime(endTime) }
  return found.flatMap((metric): MetricData[] => {
    const { name, help, type, values } = metric
    if (values.length === 0) return []
    const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE }
    const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
    const points = () =>
      values.map(({ labels, value }) => ({ ...times, attributes: labels as Attributes, value }))
    switch (type) {
      case 'counter':
        return [
          { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() },
        ]
      case 'histogram':
        return [
          {
            ...common,
            dataPointType: DataPointType.HISTOGRAM,
            dataPoints: histograms(metric, times),
          },
        ]
      default:
        return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }]
    }
  })
}

/** A point for each combination of labels, from its samples `…_bucket`, `…_sum` and `…_count`. */
function histograms(
  { name, values }: Samples,
  times: { startTime: HrTime; endTime: HrTime },
): DataPoint<Histogram>[] {
  const found = new Map<string, { attributes: Attributes; samples: Sample[] }>()
  for (const sample of values) {
    const { le: _le, ...attributes } = sample.labels
    const key = JSON.stringify(attributes)
    const point = found.get(key) ?? { attributes: attributes as Attributes, samples: [] }
    point.samples.push(sample)
    found.set(key, point)
  }
  return [...found.values()].map(({ attributes, samples }) => {
    const sumOf = (suffix: string) =>
      samples.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0
    const buckets = bucketsOf(samples.filter(({ labels }) => labels.le !== undefined))
    return { ...times, attributes, value: { buckets, sum: sumOf('sum'), count: sumOf('count') } }
  })
}

/** From counts of what is at most a boundary, the last of which is infinity, to counts between boundaries. */
function bucketsOf(samples: Sample[]): Histogram['buckets'] {
  const counts = samples.map(({ value }, at) => value - (samples[at - 1]?.value ?? 0))
  return { boundaries: samples.slice(0, -1).map(({ labels }) => Number(labels.le)), counts }
}

const toTime = (date: Date): HrTime => [
  Math.floor(date.getTime() / 1_000),
  (date.getTime() % 1_000) * 1_000_000,
]
