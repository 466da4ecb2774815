import type { ReactNode } from 'react';
import { shorten, formatSats } from '../../lib/format';
import { QrPicture } from '../upload/qr-picture';
import { Sentence } from '../verify/told';
import './report.css';
import { LIMITS, reportOf, WARNING, type ReportGiven } from './report-data';

/** The paper: black on white, without a logo, which would lend it an authority that it does not have. A table repeats its foot on every page. */
export function Report(given: ReportGiven) {
  const report = reportOf(given);
  return (
    <article aria-label="Report" className="report">
      <table role="presentation">
        <tbody>
          <tr>
            <td>
              <header>
                <h2>Proof of Reserves for one reader</h2>
                <p className="quiet">
                  The holder showed control of the coins below. Prepared {report.prepared} by the holder in a browser: no bank, auditor or custodian wrote or checked it.
                </p>
                <p className="warning">{WARNING}</p>
              </header>
              <div className="sides">
                <Side label="For" text={<bdi>{report.words}</bdi>} note="Did you give the holder exactly these words? If not, this proof is not for you." />
                <Side label="By" text={<Sentence>{report.name}</Sentence>} note="The holder’s own words. Nobody checked this name." />
              </div>
              <div className="total">
                <div>
                  <p className="quiet">Total</p>
                  <p className="amount">{report.total}</p>
                  {report.testCoins && <p className="strong">{report.testCoins}</p>}
                  {report.dollars && (
                    <p className="quiet">
                      {report.dollars}
                      <br />
                      Price: {report.priceSource}
                    </p>
                  )}
                </div>
                <p className="state">
                  <strong>{report.coins}</strong>
                  <br />
                  {report.state}
                </p>
              </div>
              <Coins report={report} />
              <dl>
                <Row label="Signed">
                  <Sentence>{report.signed}</Sentence>
                </Row>
                <Row label="Coins checked">{report.checked}</Row>
                <Row label="Line signed">
                  <code>{report.line}</code>
                </Row>
                <Row label="File">{report.file}</Row>
                <Row label="SHA-256">
                  <code>{report.sha256}</code>
                </Row>
              </dl>
              <div className="how">
                <section>
                  <h3>How to check it</h3>
                  <ol>
                    <li>
                      Get the file <strong>{report.fileName}</strong> from the holder.
                    </li>
                    <li>Open it at a checker you chose yourself, not at a link on this paper.</li>
                    <li>Paste the request you gave: the checker says same or different.</li>
                    <li>Choose a block explorer or your own node, and check the coins.</li>
                  </ol>
                </section>
                <figure>
                  <QrPicture text={report.sha256} label="QR code of the file’s SHA-256" />
                  <figcaption>SHA-256 of the file, not a link. Your checker compares it.</figcaption>
                </figure>
              </div>
              <p className="limits">
                <strong>What this proves.</strong> Someone with the keys of these coins signed the line above. <strong>What this doesn’t prove.</strong> {LIMITS}
              </p>
            </td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <td>{WARNING}</td>
          </tr>
        </tfoot>
      </table>
    </article>
  );
}

function Side({ label, text, note }: { label: string; text: ReactNode; note: string }) {
  return (
    <section>
      <h3 className="quiet">{label}</h3>
      <p className="name">{text}</p>
      <p className="quiet">{note}</p>
    </section>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Coins({ report: { rows, more } }: { report: ReturnType<typeof reportOf> }) {
  return (
    <>
      <table className="coins">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Address</th>
            <th scope="col">Coin</th>
            <th scope="col">BTC</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ address, txid, vout, sats }, at) => (
            <tr key={`${txid}:${vout}`}>
              <td>{at + 1}</td>
              <td>
                <code>{address ?? 'No address'}</code>
              </td>
              <td>
                <code>
                  {shorten(txid, 4)}:{vout}
                </code>
              </td>
              <td>{formatSats(sats)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && <p className="quiet">{more}</p>}
    </>
  );
}
