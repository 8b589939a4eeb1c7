"""Predictions for a user's own sizes: what is printed, what is refused, what must agree."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from scipy.special import digamma

from numerics.pooling import causal_weights
from numerics.simulate import signs as families
from numerics.simulate.tokens import TokenModel
from verify import predict, reading
from verify.prediction import main
from verify.reading import read_correlation, read_weights
from verify.sequences import parse_signs
from verify.sizes import Sizes

ROOT = Path(__file__).resolve().parent.parent
GIVEN = {
    "d": "768", "vocabulary": "50000", "sequences": "200000", "length": "128", "mu2": "0.3",
    "weights": "causal", "signs": "prefix:32", "correlation": None, "table": "raw",
    "mask": "strict", "tau": "0", "ridge": None, "as_json": True,
}  # fmt: skip


def ask(capsys: pytest.CaptureFixture[str], **options: object) -> dict[str, dict[str, object]]:
    """pooling → its prediction, by way of the command's JSON."""
    main(console=None, **{**GIVEN, **options})  # type: ignore[arg-type]
    data = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    return {row["pooling"]: row for row in data["poolings"]}


def test_the_command_in_text_names_the_three_poolings() -> None:
    command = [
        sys.executable, "-m", "verify", "predict", "--d", "768", "--V", "50000", "--N", "200000",
        "--T", "128", "--weights", "causal", "--signs", "prefix:32", "--mu2", "0.3",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for text in ("mean", "causal *", "optimal", "8.75", "23.2435", "least N", "see it? yes"):
        assert text in done.stdout


def test_closed_forms(capsys: pytest.CaptureFixture[str]) -> None:
    """α/κ of a prefix: (L² + T − L)/T for the mean, L for the optimum, harmonic for causal."""
    found = ask(capsys, ridge="0.1")
    assert found["mean"]["alpha_over_kappa"] == (32**2 + 96) / 128
    assert found["optimal"]["alpha_over_kappa"] == 32
    n, H = 127, sp.harmonic(127)
    assert found["causal"]["kappa"] == pytest.approx(float((2 * n - H) / n**2), rel=1e-14)
    w = causal_weights(128)
    alpha = w[:32].sum() ** 2 + (w[32:] ** 2).sum()
    assert found["causal"]["alpha_over_kappa"] == pytest.approx(alpha / (w @ w), rel=1e-12)
    accuracies = [found[name]["accuracy"] for name in ("mean", "causal", "optimal")]
    assert accuracies == sorted(accuracies)


def test_the_least_number_of_sequences_is_the_least(capsys: pytest.CaptureFixture[str]) -> None:
    least = ask(capsys, mu2="0.003")["causal"]["least_sequences"]
    assert least == 5441
    for N, seen in ((least - 1, "none"), (least, "above")):
        assert ask(capsys, mu2="0.003", sequences=str(N))["causal"]["place"] == seen


def test_a_signal_that_the_population_hides_is_never_seen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = ask(capsys, mu2="0.0001", table="class-centred")
    assert found["causal"]["least_sequences"] is None
    assert found["causal"]["overlap"] == 0


def test_the_vocabulary_mean_on_top_and_beside_the_signal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Strengths 8 and α/κ(‖μ‖² + δ) at V = 2d, N = 4d, T = 16, L = 8: α/κ = 9/2."""
    sizes = {"d": "800", "vocabulary": "1600", "sequences": "3200", "length": "16",
             "signs": "prefix:8"}  # fmt: skip
    weak = ask(capsys, **sizes)["mean"]
    assert weak["vocabulary_strength"] == 8
    assert weak["signal_strength"] == pytest.approx(3.6)
    assert weak["seen"].startswith("no: the vocabulary mean is on top")
    equal = ask(capsys, **sizes, mu2="23/18")["mean"]
    assert equal["mixed"]
    assert equal["seen"].startswith("partly")
    centred = ask(capsys, **sizes, table="centred")["mean"]
    assert centred["vocabulary_mean"] is None
    assert centred["seen"] == "yes"


def test_a_weak_signal_below_the_bulk(capsys: pytest.CaptureFixture[str]) -> None:
    """δ = 4, γ = ½, independent signs: visible below for ρ < 1.845, hidden to 6.814, then above."""
    sizes = {"d": "400", "vocabulary": "100", "sequences": "800", "length": "64",
             "signs": "independent", "table": "class-centred"}  # fmt: skip
    places = [ask(capsys, **sizes, mu2=mu2)["mean"]["place"] for mu2 in ("1.8", "1.9", "6.8", "7")]
    assert places == ["in the gap", "none", "none", "above"]


def test_a_vocabulary_mean_below_the_bulk_is_an_outlier_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """δ = 8 and a small Σw: simulated at d = 1600, the lowest eigenvalues are 1.696 and 23.6."""
    weights = tmp_path / "w.csv"
    weights.write_text("1,-1,1,-1,1,-1,1,-.5")
    sizes = {"d": "1600", "vocabulary": "200", "sequences": "6400", "length": "8",
             "signs": "independent", "mu2": "0.5", "weights": str(weights)}  # fmt: skip
    found = ask(capsys, **sizes)["given"]
    assert found["vocabulary_place"] == "in the gap"
    assert found["vocabulary_mean"] == pytest.approx(1.7, rel=0.1)
    near = ask(capsys, **(sizes | {"signs": "prefix:8", "mu2": "1/10"}))["given"]
    assert near["place"] == near["vocabulary_place"] == "in the gap"
    assert near["mixed"]


def test_few_sequences_say_as_little_as_few_dimensions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sizes = {"d": "3000", "vocabulary": "6000", "sequences": "15", "length": "16",
             "signs": "prefix:16", "mu2": "1.236", "table": "class-centred"}  # fmt: skip
    assert ask(capsys, **sizes)["mean"]["critical"]


def test_near_a_threshold_it_says_that_it_cannot_tell(capsys: pytest.CaptureFixture[str]) -> None:
    """δ = ½, γ = ¼: x_c = 1.0545466755988; x = 1.1 x_c is inside the window at d = 200 only."""
    for d, critical in ((200, True), (1000, True), (2000, False)):
        sizes = {"d": str(d), "vocabulary": str(2 * d), "sequences": str(4 * d), "length": "64",
                 "signs": "independent", "table": "class-centred", "mu2": "1.66"}  # fmt: skip
        found = ask(capsys, **sizes)["mean"]
        assert found["critical"] is critical
        assert found["seen"].startswith("cannot tell" if critical else "yes")
        # What the limits say stands beside it, whatever the answer.
        assert found["place"] == "above"


def test_prediction_is_what_a_simulation_shows() -> None:
    """One draw at d = 300; the outlier within 5 %, the overlap within 0.1: about 8 errors each."""
    sizes = Sizes(300, 1200, 1200, 24, Fraction(3, 2), "centred")
    drawn = parse_signs("prefix:8", 24)
    weightings = predict.poolings(drawn, "strict", Fraction(0))
    for found in predict.predict(sizes, drawn, weightings):
        model = TokenModel(
            300, 1200, 1200, [float(x) for x in weightings[found.pooling]],
            families.prefix(24, 8), 1.5, "centred",
        )  # fmt: skip
        sample = model.sample(np.random.default_rng(3))
        top = sample.top_eigenpairs(1)
        assert top.values[0] == pytest.approx(found.outlier, rel=0.15)
        assert (sample.direction @ top.vectors[:, 0]) ** 2 == pytest.approx(found.overlap, abs=0.1)


def test_a_correlation_file_and_the_family_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    T = 12
    R = 0.5 ** np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    np.save(tmp_path / "R.npy", R)
    np.savetxt(tmp_path / "R.csv", R, delimiter=",")
    family = ask(capsys, length=str(T), signs="markov:0.5")
    for name in ("R.npy", "R.csv"):
        read = ask(capsys, length=str(T), signs=None, correlation=str(tmp_path / name))
        for pooling, row in family.items():
            for key, value in row.items():
                if isinstance(value, float):
                    assert read[pooling][key] == pytest.approx(value, rel=1e-9), (pooling, key)


@pytest.mark.parametrize("r", ["0.6", "-0.6", "1", "-1", "0"])
def test_the_chain_has_its_optimum_without_a_matrix(r: str) -> None:
    chain = parse_signs(f"markov:{r}", 9)
    R = float(Fraction(r)) ** np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    best = chain.optimum()
    norm = sum(x * x for x in best)
    assert float(chain.signal(best) / norm) == pytest.approx(np.linalg.eigvalsh(R)[-1])


def test_own_weights_are_a_fourth_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "w.csv"
    path.write_text("\n".join(["1/32"] * 32 + ["0"] * 96), encoding="utf-8")
    found = ask(capsys, weights=str(path))
    assert found["given"] == {**found["optimal"], "pooling": "given"}


def test_inclusive_causal_weights(capsys: pytest.CaptureFixture[str]) -> None:
    strict, plain, warm = (
        ask(capsys, mask=mask, tau=tau)["causal"]["kappa"]
        for mask, tau in (("strict", "1"), ("inclusive", "0"), ("inclusive", "1"))
    )
    H = float(sp.harmonic(128))
    assert plain == pytest.approx((2 * 128 - H) / 128**2, rel=1e-12)
    assert len({strict, plain, warm}) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"length": "0"}, "T must be at least 1: got 0"),
        ({"length": "x"}, "T must be an integer: got 'x'"),
        ({"signs": "prefix:0"}, "L must lie in 1..T=128: got 0"),
        ({"signs": "suffix:129"}, "L must lie in 1..T=128: got 129"),
        ({"signs": "block:5-4"}, "block must lie in 1..T=128: got 5-4"),
        ({"signs": "markov:1.5"}, "r must lie in -1..1: got 3/2"),
        ({"signs": "odd"}, "signs must be prefix:L"),
        ({"signs": None}, "give either --signs or --correlation"),
        ({"d": "0"}, "d must be at least 1: got 0"),
        ({"mu2": "0"}, "mu2 must be positive: got 0"),
        ({"mu2": "__import__('os')"}, "mu2 must be a decimal or a fraction"),
        ({"table": "round"}, "table must be one of raw, centred, class-centred: got 'round'"),
        ({"mask": "none"}, "mask must be 'strict' or 'inclusive': got 'none'"),
        ({"tau": "nan"}, "tau must be finite"),
        ({"tau": "1e4"}, "tau must be finite"),
        ({"ridge": "0"}, "ridge must be positive: got 0"),
        ({"ridge": "1", "signs": "markov:1/2"}, "ridge needs signs with a block"),
        ({"length": "1", "signs": "prefix:1"}, "T must be at least 2 under a strict mask: got 1"),
        ({"weights": "median"}, "weights must be one of mean, causal, optimal, or a .npy or"),
        ({"weights": "none.npy"}, "weights must be a readable file: got 'none.npy'"),
    ],
)
def test_wrong_options(options: dict[str, str | None], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        main(console=None, **{**GIVEN, **options})  # type: ignore[arg-type]


CHAIN = 0.5 ** np.abs(np.subtract.outer(np.arange(9), np.arange(9)))


def _changed(entries: dict[tuple[int, int], float]) -> np.ndarray:
    R = CHAIN.copy()
    for place, value in entries.items():
        R[place] = value
    return R


@pytest.mark.parametrize(
    ("R", "message"),
    [
        (np.eye(4), "R must be 9 × 9, one row per position: got 4 × 4"),
        (np.ones((9, 2)), "R must be 9 × 9, one row per position: got 9 × 2"),
        (_changed({(0, 1): 0.4}), r"R must be symmetric: got R\[0,1\] = 0.4, R\[1,0\] = 0.5"),
        (_changed({(3, 3): 2.0}), r"R must have a unit diagonal: got R\[3,3\] = 2"),
        (_changed({(0, 8): -0.9, (8, 0): -0.9}), "R must be positive semidefinite"),
        (np.full((9, 9), -0.5), "R must have a unit diagonal"),
        (_changed({(0, 1): np.nan}), r"R\[0,1\] must be finite: got nan"),
        (np.array([["a"] * 9] * 9), "R must be a vector or a matrix of real numbers"),
    ],
)
def test_wrong_correlations(tmp_path: Path, R: np.ndarray, message: str) -> None:
    np.save(tmp_path / "R.npy", R)
    with pytest.raises(ValueError, match=message):
        read_correlation(tmp_path / "R.npy", 9)


@pytest.mark.parametrize("T", [3, 9])
def test_a_positive_semidefinite_matrix_need_not_come_from_signs(tmp_path: Path, T: int) -> None:
    R = np.eye(T)
    R[:3, :3] = 1.5 * np.eye(3) - 0.5
    np.save(tmp_path / "R.npy", R)
    with pytest.raises(ValueError, match="R must be a correlation of signs"):
        read_correlation(tmp_path / "R.npy", T)


@pytest.mark.parametrize(
    ("w", "message"),
    [
        (np.ones(3), r"weights must have shape \(4,\), one per position: got \(3,\)"),
        (np.ones((4, 4)), r"weights must have shape \(4,\), one per position: got \(4, 4\)"),
        (np.zeros(4), "weights must not all be 0"),
        (np.array([1.0, np.inf, 0, 0]), r"weights\[0,1\] must be finite: got inf"),
        (np.ones(4) * 1j, "weights must be a vector or a matrix of real numbers"),
        (np.ones((0,)), "weights must not be empty"),
    ],
)
def test_wrong_weights(tmp_path: Path, w: np.ndarray, message: str) -> None:
    np.save(tmp_path / "w.npy", w)
    with pytest.raises(ValueError, match=message):
        read_weights(tmp_path / "w.npy", 4)


def test_a_pickled_file_is_not_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="weights must be a readable file"):
        read_weights(tmp_path / "w.npy", 1)


SHORT = {"d": "4000", "vocabulary": "1000", "sequences": "8000", "length": "16"}


@pytest.mark.parametrize(
    ("options", "answer", "critical"),
    [
        # The signal is near its threshold, but the vocabulary mean is far above both.
        ({"signs": "independent", "mu2": "0.14"}, "no: the vocabulary mean is on top", True),
        # Only the threshold of the outlier below the bulk is near.
        (SHORT | {"signs": "independent", "mu2": "1.845", "table": "class-centred"},
         "no: the ", True),
        (SHORT | {"signs": "independent", "mu2": "6.814", "table": "class-centred"},
         "cannot tell", True),
    ],
)  # fmt: skip
def test_what_decides_is_what_is_on_top(
    options: dict[str, str], answer: str, critical: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    found = ask(capsys, **options)["mean"]
    assert found["seen"].startswith(answer)
    assert found["critical"] is critical


def test_two_outliers_that_mix_below_the_bulk_are_not_on_top(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = tmp_path / "w.csv"
    weights.write_text(",".join(["1,-.911"] * 32))
    sizes = SHORT | {"length": "64", "signs": "markov:4/5", "mu2": "0.1", "weights": str(weights)}
    found = ask(capsys, **sizes)["given"]
    assert found["mixed"]
    assert found["place"] == found["vocabulary_place"] == "in the gap"
    assert found["seen"] == "no: the outlier lies below the bulk"


def test_more_sequences_do_not_lift_the_signal_past_the_vocabulary_mean(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sizes = {"d": "800", "vocabulary": "1600", "sequences": "3200", "length": "16",
             "signs": "prefix:8"}  # fmt: skip
    raw, centred = (ask(capsys, **sizes, table=table)["mean"] for table in ("raw", "centred"))
    least = raw["least_sequences"]
    assert least == centred["least_sequences_on_top"]
    for N, place in ((least - 1, "none"), (least, "above")):
        assert ask(capsys, **sizes | {"sequences": str(N)})["mean"]["place"] == place
    assert raw["least_sequences_on_top"] is None


@pytest.mark.parametrize("seed", range(6))
def test_correlations_of_actual_signs_are_taken_despite_rounding(
    seed: int, tmp_path: Path
) -> None:
    signs = np.random.default_rng(seed).choice([-1, 1], (7, 5))
    np.save(tmp_path / "R.npy", signs.T @ signs / 7)
    assert reading.realisable(read_correlation(tmp_path / "R.npy", 5).R) is True


@pytest.mark.parametrize("T", [5, 7])
def test_five_signs_cannot_all_be_opposed_among_others(T: int, tmp_path: Path) -> None:
    """Five correlations of −1/4 meet every triangle inequality and break the pentagonal one."""
    R = np.eye(T)
    R[:5, :5] = 1.25 * np.eye(5) - 0.25
    np.save(tmp_path / "R.npy", R)
    with pytest.raises(ValueError, match=r"at positions 0, 1, 2, 3, 4, .* = 5/2 > 2"):
        read_correlation(tmp_path / "R.npy", T)


@pytest.mark.parametrize("size", ["1e400", "1e-170"])
def test_numbers_beyond_doubles_are_refused(size: str, tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text(f"{size},{size},{size}")
    with pytest.raises(ValueError, match=r"weights must have a largest entry in 1e-60..1e60"):
        read_weights(path, 3)
    path.write_text(f"1,{size},0\n{size},1,0\n0,0,1")
    if size == "1e400":
        with pytest.raises(ValueError, match=r"R must have entries in -1..1: got R\[0,1\] = 1.0"):
            read_correlation(path, 3)


@pytest.mark.parametrize("scale", ["1e-50", "1e50"])
def test_a_factor_of_the_weights_is_a_factor_of_the_eigenvalues(
    scale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, found = tmp_path / "w.csv", []
    for factor in (1, Fraction(scale)):
        path.write_text(",".join(str(factor * k) for k in (4, 3, 2, 1)))
        found.append(ask(capsys, **SHORT | {"length": "4", "signs": "markov:4/5"},
                         weights=str(path))["given"])  # fmt: skip
    one, scaled = found
    for name in ("alpha_over_kappa", "signal_strength", "overlap"):
        assert scaled[name] == pytest.approx(one[name], rel=1e-12)
    assert scaled["upper_edge"] == pytest.approx(one["upper_edge"] * float(scale) ** 2, rel=1e-12)


def test_a_multiple_optimum_is_shown_where_attention_can_reach_it(tmp_path: Path) -> None:
    """Two equal blocks: the top eigenvalue is double, and eigh may mix its vectors."""
    block = 0.6 ** np.abs(np.subtract.outer(np.arange(8), np.arange(8)))
    order = np.random.default_rng(1).permutation(16)
    R = np.kron(np.eye(2), block)[np.ix_(order, order)]
    np.save(tmp_path / "R.npy", R)
    signs = read_correlation(tmp_path / "R.npy", 16)
    best = signs.optimum()
    assert min(best) >= 0
    ratio = float(signs.signal(best) / best.power_sum(2))
    assert ratio == pytest.approx(np.linalg.eigvalsh(R)[-1], rel=1e-9)


def test_a_million_positions_are_summed_exactly() -> None:
    drawn = parse_signs("prefix:1000", 10**6)
    w = predict.poolings(drawn, "strict", Fraction(0))["causal"]
    n, H = 10**6 - 1, digamma(10**6) + np.euler_gamma
    assert float(w.power_sum(2)) == pytest.approx((2 * n - H) / n**2, rel=1e-12)
    assert float(w.power_sum(1)) == pytest.approx(1, rel=1e-12)
