import type { Site } from './report';
import { visible } from './text';

const kWidth = 250;
const kHeight = 34;

function shortened(text: string): string {
  return text.length > 32 ? `${text.slice(0, 14)}…${text.slice(-17)}` : text;
}

/** The accesses of an atomicity violation in their order: who comes between what belongs together. */
export function PatternPicture({ sites, inferred }: { sites: Site[]; inferred: boolean }) {
  const threads = [...new Set(sites.map((site) => site.thread))];
  const height = sites.length * (kHeight + 8) + 34;
  const words = sites.map((site, i) => `${i + 1}. T${site.thread} ${site.access} ${site.object}`).join('; ');
  return (
    <section class="pattern">
      <h2>The pattern</h2>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Picture of the pattern">
        <svg role="img" aria-label={visible(words)} width={threads.length * (kWidth + 24)} height={height}>
          {threads.map((thread, lane) => (
            <text key={thread} class="lane-name" x={lane * (kWidth + 24) + kWidth / 2} y={18} text-anchor="middle">T{thread}</text>
          ))}
          {sites.map((site, i) => {
            const x = threads.indexOf(site.thread) * (kWidth + 24);
            const y = 28 + i * (kHeight + 8);
            return (
              <g key={i} class={`box ${site.thread === sites[0]!.thread ? 'torn' : 'between'}`}>
                <rect x={x + 1} y={y} width={kWidth - 2} height={kHeight} rx={5} />
                <text x={x + 10} y={y + 22}>{i + 1}. {site.access} {shortened(visible(site.object))}</text>
              </g>
            );
          })}
        </svg>
      </div>
      <p>
        The accesses of T{sites[0]!.thread} belong together, and the other thread comes in between: no order of the two units
        of work, one after the other, would give this result.
        {inferred && ' Nobody declared these members as belonging together: heddle guesses it from how they are used.'}
      </p>
    </section>
  );
}
