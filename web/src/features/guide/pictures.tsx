import type { ReactNode } from 'react';

/** A drawing; the text next to it says the same. */
function Picture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 200 120" aria-hidden="true" className="w-full max-w-56 rounded-xl bg-raised stroke-line-strong" fill="none" strokeWidth="1.5">
      {children}
    </svg>
  );
}

const LINE = 'fill-line-strong stroke-none';
const SHEET = 'fill-surface';
const ORANGE = 'fill-accent stroke-none';
const TICK = 'stroke-positive';

/** A line of writing. */
const Line = ({ x, y, width, strong }: { x: number; y: number; width: number; strong?: boolean }) => (
  <rect x={x} y={y} width={width} height="6" rx="3" className={strong ? ORANGE : LINE} />
);

const Tick = ({ x, y }: { x: number; y: number }) => <path d={`M${x} ${y}l4 4 8-9`} strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" className={TICK} />;

/** One for each of the five steps, in their order. */
export const PICTURES: ReactNode[] = [
  // A name.
  <Picture key="name">
    <rect x="40" y="26" width="120" height="68" rx="10" className={SHEET} />
    <circle cx="66" cy="52" r="14" className={ORANGE} />
    <Line x={88} y={44} width={56} />
    <Line x={88} y={56} width={36} />
    <rect x="56" y="74" width="88" height="12" rx="6" className={ORANGE} />
  </Picture>,
  // A wallet, a file that leads back to it, and a signature.
  <Picture key="file">
    <rect x="18" y="38" width="62" height="44" rx="8" className={SHEET} />
    <circle cx="66" cy="60" r="5" className={ORANGE} />
    <path d="M84 50c18-18 26-16 36-6m-2-8 3 9-9 1M120 74c-12 12-24 12-34 2m1 9-2-10 10 1" />
    <rect x="124" y="26" width="56" height="68" rx="6" className={SHEET} />
    <Line x={132} y={36} width={40} strong />
    <Line x={132} y={48} width={32} />
    <path d="M134 78c6-14 9-10 8-2s6-8 9-4 3 4 12 0" strokeWidth="2" className="stroke-accent" />
  </Picture>,
  // The file in the browser.
  <Picture key="browser">
    <rect x="24" y="18" width="152" height="86" rx="8" className={SHEET} />
    <path d="M24 34h152" />
    <circle cx="34" cy="26" r="2.5" className={LINE} />
    <circle cx="43" cy="26" r="2.5" className={LINE} />
    <rect x="42" y="46" width="116" height="44" rx="8" strokeDasharray="5 4" />
    <rect x="90" y="54" width="20" height="26" rx="3" className={ORANGE} />
    <path d="M100 42v-2m0 36v-14m-5 5 5-5 5 5" strokeWidth="2" className="stroke-on-accent" />
  </Picture>,
  // Coins that are checked against the chain.
  <Picture key="checks">
    <rect x="20" y="24" width="92" height="72" rx="8" className={SHEET} />
    {[36, 58, 80].map((y) => (
      <g key={y}>
        <Line x={46} y={y - 2} width={52} />
        <Tick x={28} y={y} />
      </g>
    ))}
    {[0, 1, 2].map((block) => (
      <rect key={block} x={126 + block * 20} y="50" width="16" height="20" rx="3" className={block === 2 ? ORANGE : SHEET} />
    ))}
    <path d="M112 60h14m16 0h4m16 0h4" />
  </Picture>,
  // A place among others.
  <Picture key="rank">
    {[0, 1, 2, 3].map((row) => (
      <g key={row}>
        <rect x="30" y={18 + row * 22} width="140" height="18" rx="5" className={row === 1 ? 'fill-accent-soft stroke-accent' : SHEET} />
        <circle cx="44" cy={27 + row * 22} r="5" className={row === 1 ? ORANGE : LINE} />
        <Line x={56} y={24 + row * 22} width={40} />
        <Line x={156 - (38 - row * 8)} y={24 + row * 22} width={38 - row * 8} strong={row === 1} />
      </g>
    ))}
  </Picture>,
];
