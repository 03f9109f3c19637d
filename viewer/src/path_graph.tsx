import type { Finding, Place } from './report';
import { visible } from './text';

const kBox = { width: 230, height: 30, down: 58 };

interface Node {
  name: string;
  layer: number; // from the access upwards
  x: number;
}

interface Side {
  nodes: Node[];
  edges: { from: number; to: number; line: number }[];
}

/** Frames of libraries say how a thread starts, which nobody asks here. */
const own = (stack: Place[]): Place[] => {
  const frames = stack.filter((frame) => !frame.file.startsWith('/usr/'));
  return frames.length > 0 ? frames : stack;
};

/** All stacks of one side as one graph: a function is one node, the access is node 0. */
function sideOf(stacks: Place[][], access: string): Side {
  const nodes: Node[] = [{ name: access, layer: 0, x: 0 }];
  const edges = new Map<string, { from: number; to: number; line: number }>();
  for (const stack of stacks) {
    let below = 0;
    stack.forEach((frame, depth) => {
      let at = nodes.findIndex((node, i) => i > 0 && node.name === frame.function);
      if (at < 0) at = nodes.push({ name: frame.function, layer: depth + 1, x: 0 }) - 1;
      else nodes[at]!.layer = Math.max(nodes[at]!.layer, depth + 1);
      if (at !== below) edges.set(`${at}>${below}`, { from: at, to: below, line: depth === 0 ? 0 : frame.line });
      below = at;
    });
  }
  const used = new Map<number, number>();
  for (const node of nodes) {
    node.x = used.get(node.layer) ?? 0;
    used.set(node.layer, node.x + 1);
  }
  return { nodes, edges: [...edges.values()] };
}

const widthOf = (side: Side): number => Math.max(...side.nodes.map((node) => node.x + 1));
const shortened = (name: string): string => (name.length > 30 ? `…${name.slice(-29)}` : name);

function SideView({ side, left, layers }: { side: Side; left: number; layers: number }) {
  const x = (node: Node) => left + node.x * (kBox.width + 16);
  const y = (node: Node) => (layers - node.layer) * kBox.down + 4;
  return (
    <g>
      {side.edges.map((edge) => {
        const from = side.nodes[edge.from]!;
        const to = side.nodes[edge.to]!;
        const middle = (node: Node) => x(node) + kBox.width / 2;
        return (
          <g key={`${edge.from}-${edge.to}`} class="edge">
            <path d={`M${middle(from)},${y(from) + kBox.height} L${middle(to)},${y(to)}`} marker-end="url(#path-head)" />
            {edge.line > 0 && <text x={(middle(from) + middle(to)) / 2 + 6} y={(y(from) + kBox.height + y(to)) / 2 + 4}>:{edge.line}</text>}
          </g>
        );
      })}
      {side.nodes.map((node, i) => (
        <g key={i} class={i === 0 ? 'node access' : 'node'}>
          <rect x={x(node)} y={y(node)} width={kBox.width} height={kBox.height} rx={i === 0 ? 14 : 4} />
          <text x={x(node) + kBox.width / 2} y={y(node) + 20} text-anchor="middle">{shortened(visible(node.name))}<title>{visible(node.name)}</title></text>
        </g>
      ))}
    </g>
  );
}

/** How the two threads come to the accesses, as the analysis of the source sees it. */
export function PathGraph({ finding }: { finding: Finding }) {
  const paths = finding.paths ?? [];
  const [one, two] = finding.sites;
  if (paths.length === 0 || !one || !two) return null;
  const sides = [
    sideOf(paths.map((pair) => own(pair.first.stack)), `${one.access} ${one.object}`),
    sideOf(paths.map((pair) => own(pair.second.stack)), `${two.access} ${two.object}`),
  ] as const;
  const layers = Math.max(...sides.flatMap((side) => side.nodes.map((node) => node.layer)));
  const middle = widthOf(sides[0]) * (kBox.width + 16) + 24;
  const width = middle + widthOf(sides[1]) * (kBox.width + 16);
  const bottom = layers * kBox.down + 4 + kBox.height / 2;
  return (
    <section class="paths">
      <h2>Ways to the accesses</h2>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Graph of call paths">
        <svg role="img" aria-label={`Call paths to ${visible(one.object)} in two threads`} width={width} height={(layers + 1) * kBox.down}>
          <defs>
            <marker id="path-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0,0 L8,4 L0,8 z" class="head create" />
            </marker>
          </defs>
          <SideView side={sides[0]} left={0} layers={layers} />
          <SideView side={sides[1]} left={middle} layers={layers} />
          <path class="arrow conflict" fill="none" d={`M${kBox.width},${bottom} L${middle},${bottom}`} />
        </svg>
      </div>
    </section>
  );
}
