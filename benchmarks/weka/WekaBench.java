import java.io.FileInputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.ShortBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

import weka.classifiers.Classifier;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Times one Weka classifier on a task file written by weka_peer.write_task.
 *
 * Arguments: task file, repeats, threads for prediction, class name, options in one string.
 * Prints "build SECONDS", "predict SECONDS" as they are measured, then "mean PROBABILITY" (of the
 * first class over the test rows) and "peak KILOBYTES" of resident memory.
 */
public final class WekaBench {
    private static final double WARM_UP_SECONDS = 3;
    private static final int MISSING = 0xFFFF;

    private static boolean anyMissing;

    public static void main(String[] arguments) throws Exception {
        Instances[] parts = read(arguments[0]);
        Instances train = parts[0];
        Instances test = parts[1];
        int repeats = Integer.parseInt(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        // Bayesian networks pass a row with missing values through a filter that keeps state
        if (anyMissing && arguments[3].endsWith("BayesNet")) {
            threads = 1;
        }
        warmUp(arguments, train, test, threads);

        double mean = 0;
        for (int repeat = 0; repeat < repeats; repeat++) {
            Classifier classifier = create(arguments);
            System.gc();
            long start = System.nanoTime();
            classifier.buildClassifier(train);
            report("build", (System.nanoTime() - start) / 1e9);
            System.gc();
            start = System.nanoTime();
            mean = predict(classifier, test, threads);
            report("predict", (System.nanoTime() - start) / 1e9);
        }
        report("mean", mean);
        for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                System.out.println("peak " + line.replaceAll("[^0-9]", ""));
            }
        }
    }

    private static void report(String name, double value) {
        System.out.println(name + " " + value);
        System.out.flush();
    }

    private static Classifier create(String[] arguments) throws Exception {
        return Classifier.forName(arguments[3], Utils.splitOptions(arguments[4]));
    }

    /** Runs the same code on a small part of the task until the compiler has seen enough of it. */
    private static void warmUp(String[] arguments, Instances train, Instances test, int threads) throws Exception {
        Instances fewTrain = new Instances(train, 0, Math.min(2000, train.numInstances()));
        Instances fewTest = new Instances(test, 0, Math.min(1000, test.numInstances()));
        long start = System.nanoTime();
        while (System.nanoTime() - start < WARM_UP_SECONDS * 1e9) {
            Classifier classifier = create(arguments);
            classifier.buildClassifier(fewTrain);
            predict(classifier, fewTest, threads);
        }
    }

    /** Computes the distribution of every row; returns the mean probability of the first class. */
    private static double predict(final Classifier classifier, final Instances test, int threads) throws Exception {
        final int n = test.numInstances();
        if (threads == 1) {
            return sum(classifier, test, 0, n) / n;
        }
        final double[] sums = new double[threads];
        final Exception[] failures = new Exception[threads];
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            final int part = t;
            final int from = (int) ((long) n * t / threads);
            final int to = (int) ((long) n * (t + 1) / threads);
            Thread thread = new Thread(() -> {
                try {
                    sums[part] = sum(classifier, test, from, to);
                } catch (Exception failure) {
                    failures[part] = failure;
                }
            });
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            thread.join();
        }
        double total = 0;
        for (int t = 0; t < threads; t++) {
            if (failures[t] != null) {
                throw failures[t];
            }
            total += sums[t];
        }
        return total / n;
    }

    private static double sum(Classifier classifier, Instances test, int from, int to) throws Exception {
        double total = 0;
        for (int row = from; row < to; row++) {
            total += classifier.distributionForInstance(test.instance(row))[0];
        }
        return total;
    }

    /** Reads the training and the test part; the format is described in weka_peer.write_task. */
    private static Instances[] read(String path) throws Exception {
        try (FileInputStream stream = new FileInputStream(path)) {
            FileChannel channel = stream.getChannel();
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            int nColumns = bytes.getInt();
            int nTrain = bytes.getInt();
            int nTest = bytes.getInt();
            FastVector attributes = new FastVector();
            for (int column = 0; column < nColumns; column++) {
                FastVector values = new FastVector();
                int nValues = bytes.getInt();
                for (int value = 0; value < nValues; value++) {
                    values.addElement(Integer.toString(value));
                }
                attributes.addElement(new Attribute("a" + column, values));
            }
            ShortBuffer codes = bytes.asShortBuffer();
            return new Instances[] {part(attributes, codes, nTrain), part(attributes, codes, nTest)};
        }
    }

    private static Instances part(FastVector attributes, ShortBuffer codes, int nRows) {
        Instances data = new Instances("task", attributes, nRows);
        data.setClassIndex(attributes.size() - 1);
        for (int row = 0; row < nRows; row++) {
            double[] values = new double[attributes.size()];
            for (int column = 0; column < values.length; column++) {
                int code = codes.get() & 0xFFFF;
                anyMissing |= code == MISSING;
                values[column] = code == MISSING ? Instance.missingValue() : code;
            }
            data.add(new Instance(1.0, values)); // Instances.add copies the row, values are shared
        }
        return data;
    }
}
